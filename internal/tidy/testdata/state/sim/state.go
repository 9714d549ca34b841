// Package sim has state.
package sim

import (
	"flag"
	"os"
)

var (
	count   = 0
	table   = map[int][]int{}
	pointer = new(struct{ x *int })
	verbose = flag.Bool("v", false, "")
)

type kind int

func (kind) init() {}

func init() {}

func change() {
	count = os.Getpid()
	count++
	table[1][2], table[3] = 4, nil
	*pointer.x = 1
	*verbose = true
	flag.Usage = nil
	for count = range 3 {
	}
	delete(table, 1)
	clear(table)
	copy((table[1])[2:], nil)
}

func shadow(table []int) int {
	count := 1
	count = 2
	table[count] = len(table)
	for pointer := range 3 {
		pointer++
	}
	return *verbose
}
