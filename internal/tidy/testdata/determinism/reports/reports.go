// Package reports is no part of a run.
package reports

import (
	"math"
	"math/rand"
	"time"
)

var year = math.Exp(float64(time.Now().Year())) + rand.Float64()
