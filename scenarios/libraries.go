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
	split        client.Split
}

// redirectsMax is the highest max_redirects. It stands for no limit too.
const redirectsMax = 100

// libraries are the profiles, with the defaults of each library's version. What
// they do about TRYAGAIN, lost connections and periodic refreshes is left out.
var libraries = []library{
	// 9.22. A cluster's pool has 5 connections per GOMAXPROCS, here of 8 cores. The
	// map is replaced by reloads only; MGET is split since 9.18.
	{"go-redis", 40, false, 5 * time.Second, 3, client.MovedRefresh, client.SplitSlot},
	// 8 beta. Multi-key commands are split and sent one after another.
	{"jedis", 8, false, 2 * time.Second, 5, client.MovedRefresh, client.SplitSlotSequential},
	// 8.1. MGET across slots is refused; the map is patched slot by slot.
	{"redis-py", 100, false, 5 * time.Second, 16, client.MovedPatch, client.SplitNone},
	// All requests share one connection to each node; redirects end with the
	// caller's deadline only.
	{"rueidis", 1, true, 10 * time.Second, redirectsMax, client.MovedRefresh, client.SplitNode},
	// 7.7. Without an adaptive trigger, which is off, the topology is never
	// fetched again.
	{"lettuce", 1, true, 60 * time.Second, 5, client.MovedIgnore, client.SplitSlot},
	// 6. It patches the slot and refreshes the map.
	{"ioredis", 1, true, 0, 16, client.MovedRefresh, client.SplitNone},
	// 6. It discovers the cluster anew before it tries again.
	{"node-redis", 1, true, 0, 16, client.MovedRefresh, client.SplitNone},
	// It patches the slot; refreshes are rare.
	{"valkey-glide", 1, true, 250 * time.Millisecond, 3, client.MovedPatch, client.SplitNode},
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
	c.OnMoved, c.Split = l.onMoved, l.split
	return true
}
