package gossip

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"
	"time"
	"unsafe"

	"hotslot/sim/wire"
)

// An idle cluster sends as many pings as a real one of Redis 7.0.15 on the same
// machine did.
func TestPingRates(t *testing.T) {
	file, err := os.Open("testdata/gossip_rate.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		primaries, _ := strconv.Atoi(row[0][:1])
		replicas, _ := strconv.Atoi(row[0][2:])
		timeout, _ := strconv.Atoi(row[1])
		want, _ := strconv.ParseFloat(row[3], 64)
		w := newWorld(t, "redis-7.0", 1, primaries, replicas, 0, config(time.Duration(timeout)*time.Millisecond))
		const length = 300
		w.run(length * time.Second)
		pings, pongs := float64(w.sent(Ping)), float64(w.sent(Pong))
		if got := pings / length / float64(len(w.nodes)); got < 0.95*want || got > 1.05*want {
			t.Errorf("%s at %d ms: %.3f pings a second and node, measured %.2f", row[0], timeout, got, want)
		}
		if pongs != pings {
			t.Errorf("%s at %d ms: %.0f pongs for %.0f pings", row[0], timeout, pongs, pings)
		}
		if e, ok := w.first(wire.EventPFAIL, -1); ok {
			t.Errorf("%s at %d ms: suspicion in an idle cluster: %+v", row[0], timeout, e)
		}
	}
}

// A hundred nodes with a timeout of a minute that do not learn from each other
// ping each of the others every half minute: 99 / 30 s = 3.3 pings a second, as
// the specification says ("Heartbeat and gossip messages"). The ping of the second
// goes to one of the oldest five, on average when five sixths of its half minute
// are over: so a sixth of a ping comes on top.
func TestPingRateOfTheSpecification(t *testing.T) {
	w := newWorld(t, "redis-3.0", 1, 50, 1, 0, config(time.Minute))
	w.run(2 * time.Minute)
	before := w.sent(Ping)
	w.run(7 * time.Minute)
	got := float64(w.sent(Ping)-before) / 300 / 100
	if got < 3.3 || got > 3.3+0.2 {
		t.Errorf("%.3f pings a second and node, want 3.3 and a sixth", got)
	}
}

// The sizes of messages on the wire (cluster.h).
func TestBytes(t *testing.T) {
	for _, tt := range []struct {
		version string
		packet  Packet
		want    int64
	}{
		{"redis-7.0", Packet{Type: Ping, Entries: make([]Entry, 3)}, 2568},
		{"redis-7.0", Packet{Type: Pong}, 2256},
		{"redis-7.2", Packet{Type: Pong, Entries: make([]Entry, 10)}, 3344},
		{"redis-7.2", Packet{Type: Meet, Forgotten: make([]Forgotten, 2)}, 2256 + 48 + 2*56},
		{"redis-8", Packet{Type: Ping}, 2256 + 96},
		{"redis-7.2", Packet{Type: Fail}, 2296},
		{"redis-7.2", Packet{Type: Update}, 4352},
		{"redis-7.2", Packet{Type: AuthRequest}, 2256},
		{"redis-7.2", Packet{Type: AuthAck}, 2256},
		{"redis-7.2", Packet{Type: MFStart}, 2256},
		{"redis-7.2", Packet{Type: Publish, Payload: 100}, 2364},
		{"valkey-8.0", Packet{Type: Publish, Payload: 100}, 124},
		{"valkey-8.0", Packet{Type: PublishShard, Payload: 100}, 124},
	} {
		rules, _, _ := Version(tt.version)
		env := &Env{Rules: rules}
		if got := env.Bytes(&tt.packet); got != tt.want {
			t.Errorf("%s: type %d has %d bytes, want %d", tt.version, tt.packet.Type, got, tt.want)
		}
	}
}

// A section has a tenth of the nodes, at least three and nobody twice; all nodes
// are told of alike.
func TestSections(t *testing.T) {
	for _, tt := range []struct {
		version       string
		nodes, atMost int
		atLeast       float64 // on average
	}{{"redis-7.0", 6, 3, 2.5}, {"redis-7.0", 100, 10, 9.99}, {"redis-3.0rc1", 100, 3, 3}, {"redis-3.0", 100, 10, 9.9},
		{"valkey-9", 100, 10, 9.99}, {"redis-7.0", 2, 0, 0}, {"redis-7.0", 3, 1, 0.7}} {
		w := newWorld(t, tt.version, 1, tt.nodes, 0, 0, config(15*time.Second))
		s := w.nodes[0]
		s.enter(0, &w.facts[0], &w.out)
		const sections = 3000
		told, total := make([]int, tt.nodes), 0
		for range sections {
			p := s.heartbeat(Ping, 1)
			if len(p.Entries) > tt.atMost {
				t.Fatalf("%s: %d entries of %d nodes", tt.version, len(p.Entries), tt.nodes)
			}
			seen := map[int]bool{}
			for _, e := range p.Entries {
				if seen[int(e.Node)] || e.Node == 0 || e.Node == 1 && w.env.SkipsReceiver {
					t.Fatalf("%s: entry of node %d", tt.version, e.Node)
				}
				seen[int(e.Node)] = true
				told[e.Node]++
				total++
			}
			w.env.Release(p)
		}
		if mean := float64(total) / sections; mean < tt.atLeast {
			t.Errorf("%s: %.2f entries on average of %d nodes", tt.version, mean, tt.nodes)
		}
		for node := 2; node < tt.nodes; node++ {
			mean, times := float64(total)/float64(tt.nodes-1), float64(told[node])
			if times < 0.7*mean || times > 1.3*mean {
				t.Errorf("%s: node %d is told of %.0f times, others %.0f", tt.version, node, times, mean)
			}
		}
	}
}

// An idle cluster, in simulated seconds for each second.
func BenchmarkIdle(b *testing.B) {
	for _, n := range []int{100, 1000, 2000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			w := newWorld(b, "redis-7.2", 1, n/2, 1, 0, config(15*time.Second))
			w.run(20 * time.Second)
			before := w.sent(Ping)
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				w.run(time.Duration(21+i) * time.Second)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "s/s")
			b.ReportMetric(float64(w.sent(Ping)-before)/float64(b.N)/float64(n), "pings/s/node")
		})
	}
}

// What a packet touches of its sender is one line of the processor's cache.
func TestPeerSize(t *testing.T) {
	if size := unsafe.Sizeof(peer{}); size != 64 {
		t.Errorf("a peer has %d bytes", size)
	}
}
