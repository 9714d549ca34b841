package sim

import (
	"math/rand"
	"time"
)

var seed = rand.New(rand.NewSource(time.Now().Unix()))
