// Package sim is not deterministic.
package sim

import (
	_ "log"
	_ "math/rand/v2"
	clock "time"
)

var start, second = clock.Now(), clock.Second

func field(clock struct{ Now int }) int { return clock.Now }
