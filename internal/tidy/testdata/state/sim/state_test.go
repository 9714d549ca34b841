package sim

var sink int

func bench() {
	sink++
	count++
}
