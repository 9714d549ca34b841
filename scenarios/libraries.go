package scenarios

import (
	"slices"
	"time"

	"hotslot/sim/client"
)

// A library is a client library with the settings that make it what it is.
type library struct {
	name         string
	connections  int
	pipelined    bool
	timeout      time.Duration
	maxRedirects int
	onMoved      client.OnMoved
	refreshOnAsk bool
	split        client.Split

	retries             int
	retryOn             []string
	backoff, backoffMax time.Duration
	refreshOnError      bool
	refreshMin          time.Duration
	refreshEvery        time.Duration
}

// redirectsMax is the highest max_redirects. It stands for no limit too.
const redirectsMax = 100

// libraries are the profiles, with the defaults of each library's version. What
// they leave out: pauses that differ by the kind of error, of which there is one
// here; that rueidis tries reads again and no writes; and that lettuce keeps
// commands back while a connection is down.
var libraries = []library{
	// 9.22. A cluster's pool has 5 connections per GOMAXPROCS, here of 8 cores. The
	// map is replaced by reloads only: after MOVED or ASK, or where it is older than a
	// minute, and not after errors. MGET is split since 9.18.
	{name: "go-redis", connections: 40, timeout: 5 * time.Second, maxRedirects: 3, onMoved: client.MovedRefresh,
		refreshOnAsk: true, split: client.SplitSlot, retries: 3, retryOn: client.RetryKinds(), backoff: 10 * time.Millisecond,
		backoffMax: time.Second, refreshMin: 200 * time.Millisecond, refreshEvery: time.Minute},
	// 8 beta. Multi-key commands are split and sent one after another. It gives up
	// after five attempts, which share ten seconds.
	{name: "jedis", connections: 8, timeout: 2 * time.Second, maxRedirects: 5, onMoved: client.MovedRefresh,
		split: client.SplitSlotSequential, retries: 4, retryOn: []string{"CONNECTION", "TIMEOUT"},
		backoff: 500 * time.Millisecond, backoffMax: 2500 * time.Millisecond, refreshOnError: true},
	// 8.1. MGET across slots is refused; the map is patched slot by slot.
	{name: "redis-py", connections: 100, timeout: 5 * time.Second, maxRedirects: 16, onMoved: client.MovedPatch,
		split: client.SplitNone, retries: 10, retryOn: []string{"CONNECTION", "TIMEOUT", "CLUSTERDOWN", "TRYAGAIN"},
		backoff: 10 * time.Millisecond, backoffMax: time.Second, refreshOnError: true},
	// All requests share one connection to each node; redirects end with the
	// caller's deadline only.
	{name: "rueidis", connections: 1, pipelined: true, timeout: 10 * time.Second, maxRedirects: redirectsMax,
		onMoved: client.MovedRefresh, split: client.SplitNode, refreshOnError: true, refreshMin: time.Second},
	// 7.7. Without an adaptive trigger, which is off, the topology is never
	// fetched again.
	{name: "lettuce", connections: 1, pipelined: true, timeout: 60 * time.Second, maxRedirects: 5,
		onMoved: client.MovedIgnore, split: client.SplitSlot},
	// 6. It patches the slot and refreshes the map.
	{name: "ioredis", connections: 1, pipelined: true, maxRedirects: 16, onMoved: client.MovedRefresh,
		split: client.SplitNode, retries: 16, retryOn: []string{"CONNECTION", "CLUSTERDOWN", "TRYAGAIN"},
		backoff: 100 * time.Millisecond, backoffMax: 100 * time.Millisecond, refreshOnError: true},
	// 6. It discovers the cluster anew before it tries again.
	{name: "node-redis", connections: 1, pipelined: true, maxRedirects: 16, onMoved: client.MovedRefresh,
		split: client.SplitNode, retries: 16, retryOn: []string{"CONNECTION"}, backoff: 2 * time.Millisecond,
		backoffMax: 2 * time.Millisecond, refreshOnError: true},
	// It patches the slot; refreshes are rare.
	{name: "valkey-glide", connections: 1, pipelined: true, timeout: 250 * time.Millisecond, maxRedirects: 3,
		onMoved: client.MovedPatch, split: client.SplitNode, retries: 3,
		retryOn: []string{"CONNECTION", "CLUSTERDOWN", "TRYAGAIN"}, backoff: 10 * time.Millisecond,
		backoffMax: time.Second, refreshOnError: true, refreshMin: 15 * time.Second, refreshEvery: time.Minute},
}

// Libraries returns the names of the client libraries that have a profile.
func Libraries() []string {
	names := make([]string, len(libraries))
	for i, l := range libraries {
		names[i] = l.name
	}
	return names
}

// applyLibrary sets what the named library does; ok is false if it is unknown.
func applyLibrary(c *client.Config, name string) (ok bool) {
	i := slices.IndexFunc(libraries, func(l library) bool { return l.name == name })
	if i < 0 {
		return false
	}
	l := libraries[i]
	c.Connections, c.Pipelined = l.connections, l.pipelined
	c.Timeout, c.MaxRedirects = l.timeout, l.maxRedirects
	c.OnMoved, c.RefreshOnAsk, c.Split = l.onMoved, l.refreshOnAsk, l.split
	c.Retries, c.RetryOn, c.RetryBackoff, c.RetryBackoffMax = l.retries, l.retryOn, l.backoff, l.backoffMax
	c.RefreshOnError, c.RefreshMinInterval, c.RefreshEvery = l.refreshOnError, l.refreshMin, l.refreshEvery
	return true
}
