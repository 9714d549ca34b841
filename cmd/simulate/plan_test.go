package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Ids of the primaries in testdata/cluster_nodes.txt, which a Redis 7.0.15 printed.
const (
	id1 = "1f9be2732176986a9c35ef96e13f2cabccd9ec2e"
	id2 = "f9c68a26d62686805e13a5da1e99631176b9a891"
	id3 = "986ce7ae4204fa14752810217a29d12bdae86dda"
)

const realNodes = "testdata/cluster_nodes.txt"

// expect fails the test unless a call prints exactly this, and no error.
func expect(t *testing.T, want string, args ...string) {
	t.Helper()
	if got := call(args...); got.status != 0 || got.err != "" || got.out != want {
		t.Errorf("%v: exit status %d, errors %q, results:\n%s\nwant:\n%s", args, got.status, got.err, got.out, want)
	}
}

// What redis-cli 7.0.15 does with three even primaries and an empty one.
func TestPlanRebalance(t *testing.T) {
	expect(t, `4096 of 16384 slots move, in 3 steps.

STEP  FROM       TO         SLOTS  WHICH
1     primary 1  primary 3  1366   5461-6826
2     primary 2  primary 3  1365   10923-12287
3     primary 0  primary 3  1365   0-1364

PRIMARY    SLOTS  AFTER
primary 0  5461   4096
primary 1  5462   4096
primary 2  5461   4096
primary 3  0      4096
`, "plan", "rebalance", "--primaries", "3", "--empty", "1", "--use-empty")
	expect(t, `Nothing moves: no primary is off its share by more than the threshold of 2 %.

PRIMARY          SLOTS  AFTER
127.0.0.1:17201  5461   5461
127.0.0.1:17203  5461   5461
127.0.0.1:17202  5462   5462
`, "plan", "rebalance", "--nodes", realNodes)
}

func TestPlanIsEndless(t *testing.T) {
	args := []string{"plan", "rebalance", "--planner", "redis-trib-4", "--weight", "3=0",

		"--slots-of", "0-5460", "--slots-of", "5461-10921", "--slots-of", "10922-16382", "--slots-of", "16383"}
	contains(t, "endless", call(args...).out, "redis-trib.rb would never come to an end")
	got := call(append(args, "--format", "commands")...).out
	if strings.Contains(got, "redis-cli ") || !strings.HasPrefix(got, "# redis-trib.rb") {
		t.Errorf("commands:\n%s", got)
	}
}

func TestPlanReshardAndDrain(t *testing.T) {
	contains(t, "reshard", call("plan", "reshard", "--nodes", realNodes, "--to", id1[:4], "--slots", "10",
		"--from", "127.0.0.1:17202,986").out,
		"1     127.0.0.1:17202  127.0.0.1:17201  6      5461-5466\n",
		"2     127.0.0.1:17203  127.0.0.1:17201  4      10923-10926\n")
	contains(t, "drain", call("plan", "drain", "--nodes", realNodes, "--node", "127.0.0.1:17203").out,
		"127.0.0.1:17201  5461   8192\n", "127.0.0.1:17203  5461   0\n")
	contains(t, "drain to one", call("plan", "drain", "--primaries", "3", "--node", "primary 2", "--to", "0").out,
		"1     primary 2  primary 0  5461   10923-16383\n")
	contains(t, "drain of nothing", call("plan", "drain", "--primaries", "3", "--empty", "1", "--node", "3").out,
		"Nothing moves: 3 has no slots.\n")
}

// The same cluster as a scenario, whose one key is all there is.
func TestPlanHottest(t *testing.T) {
	file := write(t, t.TempDir(), "x.toml", tiny)
	expect(t, `Nothing moves.
Slot 12699 alone is 100.0 % of the load (cpu), more than a primary's fair share of 50.0 %:
whoever owns it is the bottleneck, wherever slots move.

PRIMARY    SLOTS  AFTER  LOAD     AFTER
primary 0  8192   8192   0.0 %    0.0 %
primary 1  8192   8192   100.0 %  100.0 %
`, "plan", "hottest", file)
	expect(t, `8191 of 16384 slots move, in 1 step.
The busiest primary, primary 1, is left with 100.0 % of the load (keys).
Slot 12699 alone is 100.0 % of the load (keys), more than a primary's fair share of 50.0 %:
whoever owns it is the bottleneck, wherever slots move.

STEP  FROM       TO         SLOTS  LOAD   WHICH
1     primary 1  primary 0  8191   0.0 %  8192-12698 12700-16383

PRIMARY    SLOTS  AFTER  LOAD     AFTER
primary 0  8192   16383  0.0 %    0.0 %
primary 1  8192   1      100.0 %  100.0 %
`, "plan", "isolate", file, "--key", "page:view:count", "--by", "keys")
	sharded := call("plan", "balance", file, "--strategy", "sharded", "--by", "commands", "--seed", "9")
	contains(t, "sharded", sharded.out, "PRIMARY    SLOTS  AFTER  LOAD    AFTER\n")
	if sharded.status != 0 || strings.Contains(sharded.out, "100.0 %") {
		t.Errorf("sharded: exit status %d, results:\n%s", sharded.status, sharded.out)
	}
}

func TestPlanInterrupted(t *testing.T) {
	file := write(t, t.TempDir(), "x.toml", tiny)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got := newMain().call(ctx, "plan", "hottest", file); got.status != int(exitInterrupted) || got.out != "" {
		t.Errorf("exit status %d, results %q", got.status, got.out)
	}
}

func TestPlanBalance(t *testing.T) {
	load := write(t, t.TempDir(), "load.csv", "slot,load\n0,45\n1,35 # busy\n\n9000,20\n")
	expect(t, `1 of 16384 slots moves, in 1 step.
The busiest primary was primary 0 with 80.0 % of the load (cpu); it will be primary 1 with 55.0 %.

STEP  FROM       TO         SLOTS  LOAD    WHICH
1     primary 0  primary 1  1      35.0 %  1

PRIMARY    SLOTS  AFTER  LOAD    AFTER
primary 0  8192   8191   80.0 %  45.0 %
primary 1  8192   8193   20.0 %  55.0 %
`, "plan", "balance", "--primaries", "2", "--load", load, "--within", "20")
}

func TestPlanJSON(t *testing.T) {
	load := write(t, t.TempDir(), "load.csv", "0,60\n1,1\n2,1\n4,1\n")
	got := call("plan", "isolate", "--nodes", realNodes, "--load", load, "--slot", "0", "--format", "json")
	var plan jsonPlan
	if err := json.Unmarshal([]byte(got.out), &plan); err != nil {
		t.Fatal(err)
	}
	if plan.Schema != planSchema || plan.Planner != "isolate" || plan.Outcome != "bottleneck" || plan.Slots != 5460 ||
		plan.Bottleneck == nil || *plan.Bottleneck != 0 || plan.Load != "cpu" {
		t.Errorf("%+v", plan)
	}
	moved, load2 := 0, int64(0)
	for _, s := range plan.Steps {
		for _, r := range s.Ranges {
			moved += r[1] - r[0] + 1
		}
		if load2 += *s.Load; s.FromID != id1 || s.From != "127.0.0.1:17201" {
			t.Errorf("step %+v", s)
		}
	}
	if p := plan.Primaries[0]; moved != 5460 || load2 != 3 || p.ID != id1 || p.SlotsAfter != 1 ||
		*p.LoadBefore != 63 || *p.LoadAfter != 60 {
		t.Errorf("%d slots of load %d move from %+v", moved, load2, p)
	}
	contains(t, "no steps", call("plan", "rebalance", "--primaries", "3", "--format", "json").out, `"steps": []`)
}

// A cluster of flags has neither addresses nor ids: they are left open.
func TestPlanCommandsOfNoRealCluster(t *testing.T) {
	expect(t, `# 1365 of 16384 slots move, in 1 step.
# Fill in where primary 0 to primary 2 are, and their ids:
HOST=() PORT=() ID=()
redis-cli --cluster reshard "${HOST[0]}:${PORT[0]}" --cluster-from "${ID[1]}" --cluster-to "${ID[2]}" `+
		`--cluster-slots 1365 --cluster-yes
`, "plan", "reshard", "--primaries", "3", "--from", "1", "--to", "2", "--slots", "1365", "--format", "commands")
}

func TestPlanCommands(t *testing.T) {
	load := write(t, t.TempDir(), "load.csv", "0,1\n1,50\n2,40\n3,30\n4,10\n")
	with := func(args ...string) string {
		t.Helper()
		got := call(append([]string{"plan"}, append(args, "--nodes", realNodes, "--format", "commands")...)...)
		if got.status != 0 {
			t.Error(got.err)
		}
		return got.out
	}
	contains(t, "rebalance", with("rebalance", "--weight", id3+"=2.5", "--threshold", "5", "--use-empty"),
		"redis-cli --cluster rebalance 127.0.0.1:17201 --cluster-weight "+id3+
			"=2.5 --cluster-use-empty-masters --cluster-threshold 5\n")
	contains(t, "drain", with("drain", "--node", id3),
		"redis-cli --cluster rebalance 127.0.0.1:17201 --cluster-weight "+id3+"=0\n")
	contains(t, "drain to one", with("drain", "--node", id3, "--to", id2), "--cluster-from "+id3+" --cluster-to "+id2+
		" --cluster-slots 5461 --cluster-yes\n")
	contains(t, "reshard", with("reshard", "--to", id3, "--slots", "7"), "--cluster-from all --cluster-to "+id3)
	contains(t, "fair", with("drain", "--node", id3, "--planner", "fair"), "--cluster reshard 127.0.0.1:17201 "+
		"--cluster-from "+id3+" --cluster-to "+id1+" --cluster-slots 2731 --cluster-yes\n", "--cluster-slots 2730 ")

	hottest := []string{"hottest", "--load", load, "--count", "2"}
	setslot := with(hottest...)
	contains(t, "hottest", setslot, "HOST=(127.0.0.1 127.0.0.1 127.0.0.1)\nPORT=(17201 17203 17202)\n"+
		"ID=("+id1+" "+id3+" "+id2+")\n", "\nmove 1 0 1\nmove 2 0 2\n")
	contains(t, "isolate", with("isolate", "--slot", "9", "--via", "setslot"),
		"\nfor slot in {0..8}; do move $slot 0 1; done\n")
	contains(t, "Valkey", with(append(hottest, "--via", "valkey-9")...),
		"\nredis-cli -h 127.0.0.1 -p 17201 CLUSTER MIGRATESLOTS SLOTSRANGE 1 1 NODE "+id3+"\n")
	contains(t, "Redis", with(append(hottest, "--via", "redis-8.4")...),
		"\nredis-cli -h 127.0.0.1 -p 17203 CLUSTER MIGRATION IMPORT 1 1\n")
	if bash, err := exec.LookPath("bash"); err == nil {
		script := write(t, t.TempDir(), "move.sh", setslot)
		if out, err := exec.Command(bash, "-n", script).CombinedOutput(); err != nil {
			t.Errorf("the script: %v\n%s", err, out)
		}
	}
}

func TestPlanCreate(t *testing.T) {
	expect(t, `3 primaries and 3 replicas, all on other hosts than their primaries and each other.

PRIMARY  SLOTS        COUNT  REPLICAS
a/0      0-5460       5461   b/1
b/0      5461-10922   5462   c/1
c/0      10923-16383  5461   a/1
`, "plan", "create", "--hosts", "a,a,b,b,c,c", "--replicas", "1")
	contains(t, "one host", call("plan", "create", "--hosts", "a,a,a,a,a,a", "--replicas", "1").out,
		"3 primaries and 3 replicas: 3 on the host of their primary, 0 on that of another replica of it.\n")
	contains(t, "two replicas on a host",
		call("plan", "create", "--hosts", "a,b,c,d,d,d,d,d,d", "--replicas", "2").out,
		"0 on the host of their primary, 6 on that of another replica of it.\n")
	contains(t, "no replicas", call("plan", "create", "--hosts", "a,b,c").out, "3 primaries, no replicas.\n", "-\n")
	expect(t, "redis-cli --cluster create h:1 h:2 h:3\n",
		"plan", "create", "--hosts", "h:1,h:2,h:3", "--format", "commands")
	var c jsonCreation
	got := call("plan", "create", "--hosts", "a,a,b,b,c,c", "--replicas", "1", "--format", "json").out
	err := json.Unmarshal([]byte(got), &c)
	if err != nil || c.Schema != "hotslot.creation/1" || len(c.Primaries) != 3 ||
		c.Primaries[1].Ranges[0] != [2]int{5461, 10922} || c.Primaries[2].Replicas[0] != "a/1" {
		t.Errorf("%+v, %v", c, err)
	}
}

// Standard input is a file called -.
func TestPlanFromStandardInput(t *testing.T) {
	file, err := os.Open(realNodes)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	m := newMain()
	m.Stdin = file
	got := m.call(context.Background(), "plan", "rebalance", "--nodes", "-")
	contains(t, "results", got.out, "127.0.0.1:17201  5461   5461\n")
}

func TestPlanBadUsage(t *testing.T) {
	folder := t.TempDir()
	file := write(t, folder, "tiny.toml", tiny)
	load := write(t, folder, "load.csv", "0,1\n5000,4\n0,2\n")
	few := write(t, folder, "few.csv", "0,1\n5000,9\n7000,1\n")
	three := []string{"--primaries", "3"}
	for _, tt := range []struct {
		args string
		more []string
		want string
	}{
		{"plan", nil, "Choose one of balance, create, drain"},
		{"plan rebalanse", nil, `did you mean "rebalance"?`},
		{"plan rebalance", nil, "which cluster? Give --nodes, a scenario FILE"},
		{"plan rebalance --primaries 0", nil, "from 1 to 1000"},
		{"plan rebalance --empty -1", three, "--empty -1"},
		{"plan rebalance --empty 998", three, "up to 1000 primaries"},
		{"plan rebalance a.toml b.toml", nil, `"b.toml" is too much`},
		{"plan rebalance none.toml", nil, "none.toml does not exist"},
		{"plan rebalance --nodes none", nil, "--nodes: none does not exist"},
		{"plan rebalance --slots-of 0-16383", three, "choose one"},
		{"plan rebalance --slots-of 0-16384", nil, `"16384" is no slot`},
		{"plan rebalance --slots-of 5-0", nil, "ends before it begins"},
		{"plan rebalance --slots-of 0-99 --slots-of 99", nil, "slot 99 belongs to primary 0 already"},
		{"plan rebalance --slots-of 0-99", nil, "slot 100 belongs to no primary"},
		{"plan rebalance --nodes " + realNodes + " --empty 1", nil, "does not go with --nodes"},
		{"plan rebalance --weight 3=1", three, `no primary "3"; they are numbered from 0 to 2`},
		{"plan rebalance --weight 1", three, "write one such as primary 0=2"},
		{"plan rebalance --weight 1=-1", three, "a weight is a number from 0"},
		{"plan rebalance --weight 1=nan", three, "a weight is a number from 0"},
		{"plan rebalance --weight 1=1 --weight 1=2", three, "has a weight already"},
		{"plan rebalance --weight 0=0 --weight 1=0 --weight 2=0", three, "every node that takes part has weight 0"},
		{"plan rebalance --threshold 101", three, "from 0 to 100"},
		{"plan rebalance --planner fare", three, `did you mean "fair"?`},
		{"plan rebalance --via setslot", three, "add --format commands"},
		{"plan rebalance --format jsn", three, `did you mean "json"?`},
		{"plan rebalance --by keys", three, "--by keys: what do slots cost?"},
		{"plan rebalance --seed 3", three, "there is no scenario FILE"},
		{"plan rebalance --strategy x", []string{file}, `x`},
		{"plan rebalance --nodes - --load -", nil, "cannot both be read"},
		{"plan reshard --slots 3", three, "Give --slots and --to"},
		{"plan reshard --to 9 --slots 3", three, "--to: there is no primary"},
		{"plan reshard --to 1 --slots 3 --from 7", three, "--from: there is no primary"},
		{"plan reshard --to 1 --slots 3 --from 0,1", three, "--from 1: it is the target"},
		{"plan reshard --to 1 --slots 99999", three, "from 1 to 16384"},
		{"plan reshard --nodes " + realNodes + " --to x --slots 1", nil, `"x"; there are 127.0.0.1:17201, `},
		{"plan drain", three, "Give --node"},
		{"plan drain --node 4", three, "--node: there is no primary"},
		{"plan drain --node 1 --to 1", three, "that is the node which is to have none"},
		{"plan drain --node 0 --primaries 1", nil, "there is nowhere to put the slots"},
		{"plan hottest", three, "what do slots cost? Give a scenario FILE, or --load"},
		{"plan hottest --count 0", []string{file}, "--count 0"},
		{"plan hottest --load " + load, three, load + ":3: slot 0 is there twice"},
		{"plan hottest --format commands --via redis-cli --load " + few, three, "step 1 moves chosen slots"},
		{"plan balance --within -1 --load " + few, three, "--within -1"},
		{"plan isolate", three, "Give --slot or --key"},
		{"plan isolate --slot 1 --key a", three, "Give --slot or --key"},
		{"plan isolate --slot 16384", three, "numbered from 0 to 16383"},
		{"plan isolate --slot 1 --primaries 1", nil, "one primary only"},
		{"plan create", nil, "where are the nodes?"},
		{"plan create --hosts a,b", nil, "a cluster needs at least 3"},
		{"plan create --hosts a,b,c --replicas -1", nil, "there cannot be fewer than none"},
		{"plan create --hosts a:1,a:1,b:1", nil, "a:1 is there twice"},
		{"plan create --hosts a:x,a:1,b:1", nil, `"x" is no port`},
		{"plan create --hosts a,,b,c", nil, "a host without a name"},
		{"plan create --hosts a,b,c --format commands", nil, "needs to know the port of a"},
	} {
		got := call(append(strings.Fields(tt.args), tt.more...)...)
		if got.status != int(exitUsage) || got.out != "" {
			t.Errorf("%s: exit status %d, results %q", tt.args, got.status, got.out)
		}
		contains(t, tt.args, got.err, tt.want)
	}
}
