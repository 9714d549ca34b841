package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hotslot/experiment"
)

// tiny is a scenario of a few thousand operations. Its first threshold holds.
const tiny = `
title    = "A tiny counter"
seeds    = 2
duration = "200ms"
warmup   = "50ms"
[cluster]
primaries = 2
[node]
costs = "round-100k"
[workload.views]
kind = "counter"
key  = "page:view:count"
rate = "3k/s"
[strategy.baseline]
[strategy.sharded.workload.views]
shards = 4
[thresholds]
"*" = ["errors.rate == 0"]
`

// Thresholds for the end of tiny.
const (
	failing      = "baseline = [\"throughput > 1M/s\"]\n"
	inconclusive = "baseline = [\"throughput > 3k/s\"]\n" // which is the rate
)

// An outcome is what a call of the command left behind.
type outcome struct {
	status   int
	out, err string
}

// newMain returns a command that runs real experiments, without environment and
// terminal.
func newMain() *Main {
	return &Main{Env: func(string) string { return "" }, Simulate: experiment.Run}
}

// call calls a command.
func (m *Main) call(ctx context.Context, args ...string) outcome {
	var out, err bytes.Buffer
	m.Stdout, m.Stderr = &out, &err
	status := m.Run(ctx, args)
	return outcome{status, out.String(), err.String()}
}

// call calls the command as a shell without a terminal would.
func call(args ...string) outcome { return newMain().call(context.Background(), args...) }

// write writes a scenario into the folder and returns its path.
func write(t *testing.T, folder, name string, text ...string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(strings.Join(text, "")), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// contains fails the test unless text has all of the wanted in it.
func contains(t *testing.T, what, text string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		if !strings.Contains(text, want) {
			t.Errorf("%s lacks %q:\n%s", what, want, text)
		}
	}
}

// asProcess is the variable of the environment that makes the test's own binary
// stand for a process of the command.
const asProcess = "SIMULATE_PROCESS"

func TestMain(m *testing.M) {
	switch os.Getenv(asProcess) {
	case "main":
		main()
	case "deaf": // to all but the second signal
		ctx := interruptible()
		fmt.Println("ready")
		<-ctx.Done()
		fmt.Println("told")
		select {}
	}
	os.Exit(m.Run())
}

// process returns a process of the test's own binary, to be started.
func process(t *testing.T, as string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Skip("no processes here:", err)
	}
	command := exec.CommandContext(t.Context(), self, args...)
	command.Env = append(os.Environ(), asProcess+"="+as)
	return command
}

// interrupt sends a process the signal of Ctrl-C.
func interrupt(t *testing.T, command *exec.Cmd) {
	t.Helper()
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
}

func TestProcess(t *testing.T) {
	t.Parallel()
	out, err := process(t, "main", "slot", "{user:7}:cart").Output()
	if err != nil {
		t.Fatal(err)
	}
	if want := call("slot", "{user:7}:cart").out; string(out) != want {
		t.Errorf("printed %q, want %q", out, want)
	}
}

func TestFirstSignalEndsTheRun(t *testing.T) {
	t.Parallel()
	file := write(t, t.TempDir(), "long.toml", tiny)
	folder := filepath.Join(t.TempDir(), "out")
	command := process(t, "main", "run", file, "--seeds", "10000", "--duration", "1h", "--out", folder)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	for { // until signals are awaited, after which comes the folder
		if _, err := os.Stat(folder); err == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	interrupt(t, command)
	command.Wait() // its error is the exit status
	if got := command.ProcessState.ExitCode(); got != int(exitInterrupted) {
		t.Errorf("exit status %d, want %d", got, exitInterrupted)
	}
}

func TestSecondSignalKills(t *testing.T) {
	t.Parallel()
	command := process(t, "deaf")
	pipe, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(pipe)
	for _, want := range []string{"ready", "told"} {
		if !said.Scan() || said.Text() != want {
			t.Fatalf("the process said %q, want %q", said.Text(), want)
		}
		interrupt(t, command)
	}
	command.Wait() // its error is the signal
	if got := command.ProcessState.ExitCode(); got != -1 {
		t.Errorf("exit status %d, want none: it was killed", got)
	}
}
