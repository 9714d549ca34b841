package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"hotslot/experiment"
)

func TestJSONOfSeveralResultsIsAnArray(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, single(), odd()); err != nil {
		t.Fatal(err)
	}
	var got []struct {
		Schema     string
		Strategies []struct {
			Name       string
			Throughput struct{ Mean *float64 }
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Schema != schema || got[1].Strategies[1].Throughput.Mean != nil {
		t.Errorf("got %+v", got)
	}
}

func TestBytesDependOnTheResultAlone(t *testing.T) {
	render := func() string {
		var b bytes.Buffer
		for _, r := range []*experiment.Result{hotCounter(), odd()} {
			writeAll(t, &b, r)
		}
		return b.String()
	}
	first := render()
	for range 20 { // a map is unlikely to be walked alike twenty times
		if render() != first {
			t.Fatal("the same result gives other bytes")
		}
	}
}

// writeAll writes every report but the plots.
func writeAll(t *testing.T, w io.Writer, r *experiment.Result) {
	t.Helper()
	if err := errors.Join(Text(w, r, Style{}), JSON(w, r), Markdown(w, r), CSV(w, r), JUnit(w, r)); err != nil {
		t.Fatal(err)
	}
}

func TestErrorsOfTheWriterAreReturned(t *testing.T) {
	broken := errors.New("broken pipe")
	w := writerFunc(func([]byte) (int, error) { return 0, broken })
	r := hotCounter()
	for name, err := range map[string]error{
		"text": Text(w, r, Style{}), "json": JSON(w, r), "markdown": Markdown(w, r), "csv": CSV(w, r), "junit": JUnit(w, r),
	} {
		if !errors.Is(err, broken) {
			t.Errorf("%s returns %v", name, err)
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestErrorsOfAFolderNameThePath(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	taken := filepath.Join(dir, "taken")
	if err := os.MkdirAll(filepath.Join(taken, "report.md"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, plots := Plots(filepath.Join(dir, "missing"), single())
	unrendered := writeFile(filepath.Join(dir, "unrendered"), func(io.Writer) error { return iotest.ErrTimeout })
	for path, err := range map[string]error{
		filepath.Join(file, "below"):                    WriteFolder(filepath.Join(file, "below"), single()),
		filepath.Join(taken, "report.md"):               WriteFolder(taken, single()),
		filepath.Join(dir, "missing", "throughput.svg"): plots,
		filepath.Join(dir, "unrendered"):                unrendered,
	} {
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("error is %v, want %s in it", err, path)
		}
	}
	if !errors.Is(plots, fs.ErrNotExist) {
		t.Errorf("the cause is lost: %v", plots)
	}
}
