package cluster
import ("testing";"time";"runtime";"hotslot/sim")
func TestTmpMem(t *testing.T) {
	for name, c := range warmRuns(t) {
	c.Duration = 8 * time.Second
	cl := New(c)
	after := func(d time.Duration) int64 {
		cl.Sched.Run(sim.Time(d))
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	first, last := after(time.Second), after(8*time.Second)
	t.Logf("%s %d KiB after a second, %d KiB after eight, %d operations %v", name, first>>10, last>>10, cl.Recorders[0].Done, cl.check())
	}
}
