package workloads

import (
	"maps"
	"math"
	"slices"
)

// curves are popularity curves measured in production at Meta: the share of the
// requests that the hottest keys get, by the share of the keys that they are
// (curveKeys). The popularity files of the cachebench test configurations of
// CacheLib (facebook/CacheLib, cachebench/test_configs/hit_ratio, Apache
// License 2.0, copyright Meta Platforms, Inc. and affiliates) were condensed to
// these points, which changes the share at any other point by less than 0.016.
// Left out are the requests for keys that were asked for only once: from 1 % of
// all, for the CDN, to 23 %, for the leader's objects.
//
// Curves are relative: among a million keys the hottest one stands for the
// hottest millionth of those measured, ten keys in ten million.
var curves = map[string][len(curveKeys)]float64{
	// A key-value cache (kvcache_reg; 10.5 million keys).
	"meta-kvcache": {
		0.068216, 0.10156, 0.1376, 0.16406, 0.19676, 0.22432, 0.25464, 0.27566, 0.29538, 0.31796,
		0.34497, 0.37669, 0.41171, 0.44854, 0.4871, 0.52714, 0.56799, 0.6091, 0.64912, 0.68747,
		0.7239, 0.75914, 0.79361, 0.82895, 0.86603, 0.90392, 0.94036, 0.97326, 1},
	// Associations of the social graph at a cache leader (graph_cache_leader_assocs; 27.9 million keys).
	"meta-graph-leader": {
		0.047198, 0.073071, 0.10321, 0.12922, 0.15283, 0.17464, 0.18953, 0.19754, 0.20172, 0.20445,
		0.20717, 0.21022, 0.2139, 0.21843, 0.22399, 0.23123, 0.24085, 0.25368, 0.27101, 0.29485,
		0.32651, 0.36591, 0.41337, 0.47389, 0.55266, 0.6519, 0.76599, 0.88354, 1},
	// Objects of the social graph at a leader (graph_cache_leader_fbobj; 27.6 million keys).
	"meta-graph-leader-objects": {
		0.00074266, 0.00088658, 0.00099994, 0.0011357, 0.0012953, 0.0015118, 0.0018018, 0.0021366, 0.0025754, 0.0031608,
		0.0039279, 0.0049439, 0.006405, 0.0085415, 0.011774, 0.01675, 0.024391, 0.035887, 0.052508, 0.075655,
		0.10707, 0.14949, 0.20558, 0.27883, 0.37202, 0.48677, 0.62788, 0.79267, 1},
	// Associations at a follower (graph_cache_follower_assocs; 10.1 million keys).
	"meta-graph-follower": {
		0.039479, 0.04548, 0.05151, 0.05842, 0.06859, 0.079524, 0.090632, 0.1025, 0.118, 0.13509,
		0.15345, 0.17514, 0.19975, 0.22781, 0.25992, 0.29856, 0.34491, 0.3988, 0.45901, 0.52497,
		0.59441, 0.6647, 0.73346, 0.79908, 0.8575, 0.90624, 0.94479, 0.97506, 1},
	// Objects at a follower (graph_cache_follower_fbobj; 13.8 million keys).
	"meta-graph-follower-objects": {
		0.040738, 0.0608, 0.073307, 0.087591, 0.10559, 0.12406, 0.14513, 0.16407, 0.18313, 0.20579,
		0.23235, 0.26463, 0.30441, 0.35223, 0.40827, 0.4716, 0.54043, 0.61012, 0.67271, 0.72461,
		0.76627, 0.8014, 0.83279, 0.86246, 0.89024, 0.91693, 0.94343, 0.97095, 1},
	// A content delivery network (cdn; 7.5 million keys).
	"meta-cdn": {
		0.0015634, 0.0022221, 0.0026217, 0.0032547, 0.0042492, 0.0055401, 0.0071501, 0.0091947, 0.011822, 0.015505,
		0.020151, 0.025619, 0.031915, 0.039152, 0.047219, 0.055999, 0.065577, 0.076809, 0.091361, 0.11138,
		0.13918, 0.17693, 0.22669, 0.29165, 0.37457, 0.47247, 0.58642, 0.73619, 1},
}

// curveKeys are the shares of the keys at which curves are given.
var curveKeys = [...]float64{
	1e-7, 1.78e-7, 3.16e-7, 5.62e-7,
	1e-6, 1.78e-6, 3.16e-6, 5.62e-6,
	1e-5, 1.78e-5, 3.16e-5, 5.62e-5,
	1e-4, 1.78e-4, 3.16e-4, 5.62e-4,
	1e-3, 1.78e-3, 3.16e-3, 5.62e-3,
	1e-2, 1.78e-2, 3.16e-2, 5.62e-2,
	1e-1, 1.78e-1, 3.16e-1, 5.62e-1,
	1,
}

// Curves returns the names of the measured popularity curves.
func Curves() []string { return slices.Sorted(maps.Keys(curves)) }

// newCurve scales a curve to count keys.
func newCurve(shares [len(curveKeys)]float64, count int) *pieces {
	points := make([]point, len(shares))
	for i, share := range shares {
		points[i] = point{rounded(curveKeys[i] * float64(count)), share}
	}
	return newPieces(points...)
}

// rounded returns the nearest whole number of something that is not negative.
func rounded(x float64) int { return int(math.Round(x)) }
