package workloads

import (
	"fmt"
	"sync"
)

// A Cache keeps what is large, costs time to build and never changes, so that
// the runs of all strategies and seeds share it. It is used while workloads are
// built and may be used by several goroutines.
type Cache struct {
	mu    sync.Mutex // held while building: what one waits for is mostly what it needs
	keys  map[string]*Keys
	zipfs map[zipfShape]*zipf
}

// NewCache returns an empty cache.
func NewCache() *Cache {
	return &Cache{keys: make(map[string]*Keys), zipfs: make(map[zipfShape]*zipf)}
}

// keysOf returns the keys of a naming.
func (c *Cache) keysOf(names naming) *Keys {
	return cached(c, c.keys, fmt.Sprintf("%#v", names), func() *Keys { return newKeys(names) })
}

// zipfOf returns the table of a Zipf distribution.
func (c *Cache) zipfOf(shape zipfShape) *zipf {
	return cached(c, c.zipfs, shape, func() *zipf { return newZipf(shape) })
}

func cached[K comparable, V any](c *Cache, values map[K]V, key K, build func() V) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := values[key]
	if !ok {
		v = build()
		values[key] = v
	}
	return v
}
