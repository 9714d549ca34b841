package tidy

import (
	"go/ast"
	"go/token"
	"slices"
)

// inRun are the directories whose code runs inside a simulation.
var inRun = []string{"sim", "workloads", "metrics"}

// alone are those of them that only ever see one run. What workloads build is
// shared by runs that go on at the same time.
var alone = []string{"sim", "metrics"}

// unruly are packages of the standard library that have no place in a run:
// chance without a name, and the log.
var unruly = []string{"math/rand", "math/rand/v2", "crypto/rand", "hash/maphash", "log", "log/slog"}

// concurrent are packages for what goes on at the same time.
var concurrent = []string{"sync", "sync/atomic"}

// clocks are the functions of package time that ask or await the machine's.
var clocks = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick",
	"NewTicker", "NewTimer"}

// inexact are the functions of package math whose last bit depends on the
// architecture: some have assembly of their own, the others multiply and add.
var inexact = []string{"Acos", "Acosh", "Asin", "Asinh", "Atan", "Atan2", "Atanh", "Cbrt",
	"Cos", "Cosh", "Erf", "Erfc", "Erfcinv", "Erfinv", "Exp", "Exp2", "Expm1", "Gamma",
	"Hypot", "J0", "J1", "Jn", "Lgamma", "Log", "Log10", "Log1p", "Log2", "Pow", "Sin",
	"Sincos", "Sinh", "Tan", "Tanh", "Y0", "Y1", "Yn"}

// checkChance keeps clocks and nameless chance out of a run.
func checkChance(r *reporter, p *pkg) {
	if !p.under(inRun...) {
		return
	}
	for _, f := range p.shipped() {
		reportImports(r, f, unruly)
		r.reportUses(p, f, "time", "determinism", "asks the machine's clock",
			func(name string) bool { return slices.Contains(clocks, name) })
	}
}

// checkConcurrency keeps goroutines, channels and locks out of a run.
func checkConcurrency(r *reporter, p *pkg) {
	if !p.under(alone...) {
		return
	}
	for _, f := range p.shipped() {
		reportImports(r, f, concurrent)
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				r.report(n.Pos(), "determinism", "a run is one goroutine")
			case *ast.ChanType, *ast.SendStmt, *ast.SelectStmt:
				r.report(n.Pos(), "determinism", "a run has no channels")
			case *ast.UnaryExpr:
				if n.Op == token.ARROW {
					r.report(n.Pos(), "determinism", "a run has no channels")
				}
			}
			return true
		})
	}
}

// checkMath keeps functions out of a run that differ between architectures.
func checkMath(r *reporter, p *pkg) {
	if !p.under(inRun...) {
		return
	}
	for _, f := range p.shipped() {
		r.reportUses(p, f, "math", "determinism", "differs between architectures",
			func(name string) bool { return slices.Contains(inexact, name) })
	}
}

func reportImports(r *reporter, f *file, unwanted []string) {
	for _, spec := range f.syntax.Imports {
		if path := importPath(spec); slices.Contains(unwanted, path) {
			r.report(spec.Pos(), "determinism", "%s has no place in a run", path)
		}
	}
}
