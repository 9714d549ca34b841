package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"hotslot/scenarios"
)

// extension is that of scenario files.
const extension = ".toml"

// A misuse is an error about an argument that cannot be a scenario.
type misuse string

// Error implements error.
func (m misuse) Error() string { return string(m) }

// load reads all scenario files and tells all that is wrong with any. A
// scenario that cannot be read is nil.
func (m *Main) load(files []string, opts scenarios.Options) ([]*scenarios.Scenario, exit) {
	loaded, status := make([]*scenarios.Scenario, len(files)), exitHold
	for i, file := range files {
		s, err := scenarios.Load(file, opts)
		if err != nil {
			err = explainFile(file, err)
			m.tellOf(err, file, len(files) > 1)
			status = worse(status, exitOf(err))
			continue
		}
		loaded[i] = s
	}
	return loaded, status
}

// tellOf tells what is wrong with a file. Errors about its content look as
// compilers print theirs; one of several files is named beside the flag that it
// cannot take.
func (m *Main) tellOf(err error, file string, several bool) {
	var all scenarios.Errors
	if !errors.As(err, &all) {
		m.complain("%v", err)
		return
	}
	for _, e := range all {
		if several && e.File != file {
			e.Msg += " (in " + file + ")"
		}
		fmt.Fprintln(m.Stderr, e)
	}
}

// explainFile says more than the operating system about a file that cannot be
// a scenario.
func explainFile(file string, err error) error {
	info, statErr := os.Stat(file)
	switch {
	case errors.As(err, new(scenarios.Errors)):
		if statErr == nil && info.Mode().IsRegular() && info.Size() == 0 {
			return misuse(file + " is empty")
		}
	case errors.Is(err, fs.ErrNotExist):
		return misuse(file + " does not exist" + suggest(siblingOf(file)))
	case statErr == nil && info.IsDir():
		return misuse(file + " is a folder; name the files in it, such as " + filepath.Join(file, "*"+extension))
	}
	return err
}

// siblingOf returns the scenario in a file's folder with the name that is most
// like the file's; "" where none is.
func siblingOf(file string) string {
	folder := filepath.Dir(file)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "" // there is no such folder either
	}
	var names []string
	for _, e := range entries {
		if filepath.Ext(e.Name()) == extension {
			names = append(names, stem(e.Name()))
		}
	}
	if near := nearest(stem(file), names); near != "" {
		return filepath.Join(folder, near+extension)
	}
	return ""
}

// stem returns a scenario's name: that of its file without folder and extension.
func stem(file string) string { return strings.TrimSuffix(filepath.Base(file), extension) }

// completeFiles lets a shell complete the names of scenario files.
func completeFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{strings.TrimPrefix(extension, ".")}, cobra.ShellCompDirectiveFilterFileExt
}
