package tidy

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"
)

// imports says which of our packages a package may import beside the standard
// library. A path that ends in /... takes in the package and all below it.
var imports = map[string][]string{
	"sim":           {},
	"sim/slots":     {},
	"sim/wire":      {"sim", "sim/slots"},
	"sim/network":   {"sim", "sim/wire", "sim/slots"},
	"sim/gossip":    {"sim", "sim/wire", "sim/slots"},
	"sim/migration": {"sim", "sim/wire", "sim/slots"},
	"sim/node":      {"sim", "sim/wire", "sim/slots", "sim/network", "sim/gossip", "sim/migration"},
	"sim/client":    {"sim", "sim/wire", "sim/slots", "sim/network", "metrics"},
	"sim/cluster":   {"sim/...", "metrics"},
	"workloads":     {"sim", "sim/wire", "sim/slots"},
	"metrics":       {"sim", "sim/wire", "sim/slots"},
	"scenarios":     {"sim/...", "workloads"},
	"experiment":    {"sim/...", "workloads", "metrics", "scenarios"},
	"reports":       {"experiment", "metrics"},
	"validation":    {"sim/...", "metrics"},
	"cmd/simulate": {"sim/...", "workloads", "metrics", "scenarios", "experiment", "reports",
		"validation"},
	"internal/golden": {},
	"internal/tidy":   {},
}

// modules says which packages may import somebody else's module.
var modules = map[string][]string{
	"github.com/BurntSushi/toml":        {"scenarios"},
	"gonum.org/v1":                      {"experiment", "reports", "validation"},
	"github.com/rivo/uniseg":            {"reports"},
	"github.com/spf13/cobra":            {"cmd/simulate"},
	"github.com/spf13/pflag":            {"cmd/simulate"},
	"github.com/schollz/progressbar/v3": {"cmd/simulate"},
	"golang.org/x/term":                 {"cmd/simulate"},
}

// kernelUse is what the pure state machines may take of package sim: enough to
// say when and who, and to draw by name; not to send anything.
var kernelUse = []string{"Time", "Never", "ActorID", "Stream", "NewStream", "Below"}

// checkImports holds shipped files to the tables. Tests may import what they
// need: the real network and nodes are their doubles.
func checkImports(r *reporter, p *pkg) {
	allowed, known := imports[p.dir]
	shipped := p.shipped()
	if !known && len(shipped) > 0 {
		r.report(shipped[0].syntax.Package, "imports", "package %s has no line in the import table", p.dir)
		return
	}
	for _, f := range shipped {
		for _, spec := range f.syntax.Imports {
			path := importPath(spec)
			own, isOwn := strings.CutPrefix(path, module+"/")
			switch {
			case isOwn && !matches(allowed, own):
				r.report(spec.Pos(), "imports", "%s may not import %s", p.dir, path)
			case !isOwn && isModule(path) && !slices.Contains(home(path), p.dir):
				r.report(spec.Pos(), "imports", "%s may not import %s: that is for %q", p.dir, path, home(path))
			}
		}
	}
}

// checkKernelUse keeps scheduler and chance out of the pure packages.
func checkKernelUse(r *reporter, p *pkg) {
	if !p.under("sim/gossip", "sim/migration") {
		return
	}
	for _, f := range p.shipped() {
		r.reportUses(p, f, module+"/sim", "imports", "is not for a pure state machine",
			func(name string) bool { return !slices.Contains(kernelUse, name) })
	}
}

func importPath(spec *ast.ImportSpec) string {
	path, _ := strconv.Unquote(spec.Path.Value) // the parser has seen that it can be
	return path
}

// matches reports whether a list of imports takes in a path.
func matches(allowed []string, path string) bool {
	return slices.ContainsFunc(allowed, func(a string) bool {
		if tree, ok := strings.CutSuffix(a, "/..."); ok {
			return within(path, tree)
		}
		return path == a
	})
}

// home returns the packages that may import a module's package.
func home(path string) []string {
	for prefix, dirs := range modules {
		if within(path, prefix) {
			return dirs
		}
	}
	return nil
}

// isModule reports whether a package is not of the standard library: the first
// element of its path has a dot.
func isModule(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".")
}

// within reports whether a path is that of a directory or lies below it.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, dir+"/")
}
