package sim

import "math"

var a, b = math.Log1p(2), math.Sqrt(2)
