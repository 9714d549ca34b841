// Package tidy holds the rules that the source of hotslot keeps to, as a test:
// who may import whom, nothing in a run that could make it differ from the
// next, no hidden state, comments where a reader looks for them, and files and
// functions that fit on a screen.
//
// It reads the source alone. It leaves out what takes the types of imported
// packages to see: ranges over maps, state that changes by a method call or
// through a pointer, and floats that an architecture may fuse.
package tidy

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"slices"
	"strings"
)

// A Finding is a place where the source breaks a rule.
type Finding struct {
	File string // from the root of the module, with slashes
	Line int
	Rule string // a word or two
	What string
}

// String returns a finding as compilers write theirs.
func (f Finding) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", f.File, f.Line, f.Rule, f.What)
}

// rules are all that a package is checked for.
var rules = []func(*reporter, *pkg){
	checkImports,
	checkKernelUse,
	checkChance,
	checkConcurrency,
	checkMath,
	checkState,
	checkPackageComment,
	checkComments,
	checkLengths,
	checkWords,
}

// Check returns what breaks the rules in the module whose root is given, in
// the order of files and lines. It skips testdata and what begins with a dot.
func Check(root fs.FS) ([]Finding, error) {
	fset := token.NewFileSet()
	pkgs, err := load(fset, root)
	if err != nil {
		return nil, err
	}
	r := &reporter{fset: fset}
	for _, p := range pkgs {
		for _, rule := range rules {
			rule(r, p)
		}
	}
	slices.SortStableFunc(r.findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return r.findings, nil
}

// A reporter collects findings.
type reporter struct {
	fset     *token.FileSet
	findings []Finding
}

func (r *reporter) report(at token.Pos, rule, format string, args ...any) {
	p := r.fset.Position(at)
	r.findings = append(r.findings, Finding{p.Filename, p.Line, rule, fmt.Sprintf(format, args...)})
}

// line returns the line of a position.
func (r *reporter) line(at token.Pos) int { return r.fset.Position(at).Line }

// reportUses reports what a file names of an imported package, where forbidden
// says so.
func (r *reporter) reportUses(p *pkg, f *file, path, rule, why string, forbidden func(name string) bool) {
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && p.imported(s.X) == path && forbidden(s.Sel.Name) {
			r.report(s.Pos(), rule, "%s.%s %s", path, s.Sel.Name, why)
		}
		return true
	})
}
