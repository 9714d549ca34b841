package sim

func F() {}

// It does.
func G() {}

// H does.
func H() {}

func i() {}

type A int

// A B is.
type B[K any] int

func (B[K]) F() {}

type c[K, V any] int

func (*c[K, V]) F() {}

// Both are.
type (
	D int
	// E is.
	E[K, V any] int
)

func (*E[K, V]) F() {}

const I = 1

var J, k = 1, 2

// All of them.
const (
	L = iota
	M
)

const (
	N = 1 // is
	O = 2
)
