package node

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"hotslot/sim/wire"
)

// A published message costs whom it is published to a copy for each other node,
// and each of those one reading, as it was measured.
func TestPublishCosts(t *testing.T) {
	file, err := os.Open("testdata/publish.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	const connections, tolerance = 50, 0.15
	c, rows := redis7015(), 0
	near := func(what string, nodes int, got, want float64) {
		if math.Abs(got-want) > tolerance*want {
			t.Errorf("%d nodes: the %s spends %.2f µs, measured were %.2f", nodes, what, got, want)
		}
	}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		var nodes int
		var publisher, receiver float64
		if n, _ := fmt.Sscanf(strings.ReplaceAll(line, ",", " "), "%d %f %f", &nodes, &publisher, &receiver); n < 2 {
			continue // a comment, or the names of the columns
		}
		rows++
		spent := c.Turn/connections + c.Read + c.Write + c.Commands[wire.PUBLISH].Base
		for range nodes - 1 {
			spent += c.BusCopy
		}
		near("publisher", nodes, float64(spent)/1000, publisher)
		if receiver > 0 {
			near("receiver", nodes, float64(c.BusPublish)/1000, receiver)
		}
	}
	if rows != 5 {
		t.Errorf("%d rows were read, not 5", rows)
	}
}
