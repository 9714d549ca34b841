package experiment

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// newMean returns the mean of one value per seed, with the 95 % confidence
// interval of Student's t distribution. Of one value, there is no interval.
func newMean(x []float64) Mean {
	if len(x) == 0 {
		return Mean{}
	}
	m, sd := stat.MeanStdDev(x, nil)
	if len(x) == 1 || sd == 0 || math.IsInf(m, 0) {
		return Mean{m, m, m, len(x)}
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(len(x) - 1)}.Quantile(0.975)
	half := t * sd / math.Sqrt(float64(len(x)))
	return Mean{m, m - half, m + half, len(x)}
}
