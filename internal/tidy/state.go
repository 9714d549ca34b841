package tidy

import (
	"go/ast"
	"go/token"
	"go/types"
)

// checkState reports init functions and package variables that are written to
// after their declaration. What a test declares for itself it may change.
func checkState(r *reporter, p *pkg) {
	for _, f := range p.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if fn, ok := n.(*ast.FuncDecl); ok && fn.Name.Name == "init" && fn.Recv == nil {
				r.report(fn.Pos(), "state", "init runs unseen: call a function")
			}
			for _, e := range p.written(n) {
				if name := p.packageVariable(r, e); name != "" {
					r.report(e.Pos(), "state", "package variable %s changes", name)
				}
			}
			return true
		})
	}
}

// written returns the expressions that a node assigns to or changes.
func (p *pkg) written(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			return n.Lhs
		}
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			return []ast.Expr{n.Key, n.Value}
		}
	case *ast.CallExpr:
		fn, ok := n.Fun.(*ast.Ident)
		if !ok || len(n.Args) == 0 {
			return nil
		}
		if builtin, ok := p.info.Uses[fn].(*types.Builtin); ok {
			switch builtin.Name() {
			case "delete", "clear", "copy":
				return n.Args[:1]
			}
		}
	}
	return nil
}

// packageVariable returns the name of the variable of this or another package
// that an expression is, or is a part of, or "".
func (p *pkg) packageVariable(r *reporter, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		v, ok := p.info.Uses[e].(*types.Var)
		if ok && v.Parent() == p.scope && !isTest(r.fset.Position(v.Pos()).Filename) {
			return e.Name
		}
	case *ast.SelectorExpr:
		if p.imported(e.X) != "" {
			return p.imported(e.X) + "." + e.Sel.Name
		}
		return p.packageVariable(r, e.X)
	case *ast.IndexExpr:
		return p.packageVariable(r, e.X)
	case *ast.SliceExpr:
		return p.packageVariable(r, e.X)
	case *ast.StarExpr:
		return p.packageVariable(r, e.X)
	case *ast.ParenExpr:
		return p.packageVariable(r, e.X)
	}
	return ""
}
