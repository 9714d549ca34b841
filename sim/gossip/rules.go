package gossip

// Rules are how one version of Redis or Valkey differs from others, one field
// for each difference.
type Rules struct {
}

// Versions returns the names of the versions.
func Versions() []string { return nil }

// Version returns the rules of a version, and a sentence about it.
func Version(name string) (r Rules, about string, ok bool) { return Rules{}, "", false }
