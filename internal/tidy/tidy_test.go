package tidy

import (
	"os"
	"testing"
)

// TestHouse holds all of hotslot to the rules.
func TestHouse(t *testing.T) {
	findings, err := Check(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		t.Error(f)
	}
}
