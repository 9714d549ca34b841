package client

import (
	"slices"
	"time"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// kinds are what retry_on may name, and the verdicts that each stands for.
var kinds = []wire.Verdict{wire.ClusterDown, wire.TryAgain, wire.Loading, wire.PrimaryDown, wire.NoReplicas,
	wire.Connection, wire.Timeout}

// RetryKinds returns what Config.RetryOn may name.
func RetryKinds() []string {
	names := make([]string, len(kinds))
	for i, v := range kinds {
		names[i] = v.String()
	}
	return names
}

// policy says what to do about verdicts.
type policy struct {
	retry   [wire.Verdicts]bool
	refresh [wire.Verdicts]bool
}

func newPolicy(c *Config) policy {
	var p policy
	for v := wire.Moved; v < wire.Verdicts; v++ {
		name := v.String()
		if len(c.RetryOn) == 0 {
			p.retry[v] = c.Retries > 0 && v != wire.Timeout && slices.Contains(RetryKinds(), name)
		} else {
			p.retry[v] = c.Retries > 0 && slices.Contains(c.RetryOn, name)
		}
		p.refresh[v] = c.RefreshOnError &&
			(v == wire.Connection || v == wire.Timeout || name == wire.ClusterDown.String())
	}
	return p
}

// failed deals with an answer that is not OK and is no redirection: the process
// may fetch the slot map, and the command may be tried again.
func (c *Client) failed(now sim.Time, ref sim.Ref, m *wire.Message) {
	if c.policy.refresh[m.Verdict] && !c.Stateless {
		c.refreshAfter(now, m.Process, m.From)
	}
	if m.Call == 0 || !c.mayRetry(m.Verdict, &c.calls.all[m.Call].parts[m.Part]) {
		c.settle(now, m)
		c.sched.Free(ref)
		return
	}
	c.count(now, m)
	c.land(now, m)
	c.pause(now, m.Call, m.Part, m.Verdict, ref, m)
}

func (c *Client) mayRetry(v wire.Verdict, p *part) bool {
	return c.policy.retry[v] && int(p.tries) < c.Retries && p.hops < 255
}

// pause puts a command aside for a while, after which it is tried again. Its
// letter waits meanwhile.
func (c *Client) pause(now sim.Time, number uint32, part uint16, v wire.Verdict, ref sim.Ref, m *wire.Message) {
	k := &c.calls.all[number]
	p := &k.parts[part]
	p.hops++
	p.tries++
	p.sent = false
	if k.load.Measuring(now) {
		k.load.Measured.Retries++
		if k.op.Command.Writes() && (v == wire.Connection || v == wire.Timeout) {
			k.load.Measured.Repeated++
		}
	}
	*m = wire.Message{ID: k.op.ID, Kind: wire.Retry, Process: uint16(k.process), Next: ref, Call: number, Part: part,
		Hops: p.hops}
	c.sched.Post(now.Add(c.backoff(p.tries, m)), c.id, ref)
}

// backoff returns the pause before a command is tried again for the n-th time:
// twice as long each time, up to a limit, and cut by up to a half by chance.
func (c *Client) backoff(n uint8, m *wire.Message) time.Duration {
	pause := c.RetryBackoff
	for ; n > 1 && (c.RetryBackoffMax == 0 || pause < c.RetryBackoffMax) && pause < time.Hour; n-- {
		pause *= 2
	}
	if c.RetryBackoffMax > 0 {
		pause = min(pause, c.RetryBackoffMax)
	}
	if pause < 2 {
		return pause
	}
	return pause - time.Duration(sim.Below(c.draws.backoff.Sub(int(n)).At(m.Draw()), int(pause/2)+1))
}

// again tries a command once more, after its pause.
func (c *Client) again(now sim.Time, ref sim.Ref, m *wire.Message) {
	number, part := m.Call, m.Part
	switch k := &c.calls.all[number]; {
	case !k.live:
		c.discard(ref, m)
	case c.Stateless:
		c.inquire(now, number, forPart|part, ref, m)
	default:
		c.resend(now, number, part, ref, m)
	}
}

// resend sends a command once more, to whoever is believed to be its node now.
func (c *Client) resend(now sim.Time, number uint32, part uint16, ref sim.Ref, m *wire.Message) {
	k := &c.calls.all[number]
	p := &k.parts[part]
	c.address(k, p)
	c.fill(number, part, ref, m)
	k.flights = append(k.flights, flight{node: p.node, waiting: 1})
	p.flight = uint16(len(k.flights) - 1)
	c.send(now, p.node, ref, m)
}

// retryLost tries the commands of a call again that have not been answered in
// time, if all may be. It reports whether they are.
func (c *Client) retryLost(now sim.Time, number uint32) bool {
	k := &c.calls.all[number]
	for i := range k.parts {
		if p := &k.parts[i]; p.sent && !c.mayRetry(wire.Timeout, p) {
			return false
		}
	}
	c.closeFlights(now, k)
	for i := range k.parts {
		if k.parts[i].sent {
			ref, m := c.sched.New()
			k.waiting++
			c.pause(now, number, uint16(i), wire.Timeout, ref, m)
		}
	}
	return true
}
