// Package metrics does not draw.
package metrics

import (
	_ "example.com/sketch"
	_ "gonum.org/v1/plot"
)
