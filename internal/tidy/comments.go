package tidy

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"
)

// checkPackageComment asks of each package for a comment on what it is.
func checkPackageComment(r *reporter, p *pkg) {
	shipped := p.shipped()
	if len(shipped) == 0 {
		return
	}
	for _, f := range shipped {
		if p.name == "main" && f.syntax.Doc.Text() != "" ||
			strings.HasPrefix(f.syntax.Doc.Text(), "Package "+p.name+" ") {
			return
		}
	}
	r.report(shipped[0].syntax.Package, "comments", "package %s has no comment that begins with its name", p.name)
}

// checkComments asks for a comment at each exported name, that of a function or
// a type beginning with it. One comment may serve a group of constants or
// variables.
func checkComments(r *reporter, p *pkg) {
	for _, f := range p.shipped() {
		for _, decl := range f.syntax.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && ast.IsExported(receiver(d)) {
					checkNamed(r, d.Name, d.Doc)
				}
			case *ast.GenDecl:
				checkGroup(r, d)
			}
		}
	}
}

// checkGroup checks a declaration of types, constants or variables, alone or in
// parentheses.
func checkGroup(r *reporter, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			doc := s.Doc
			if doc == nil && len(d.Specs) == 1 {
				doc = d.Doc
			}
			if s.Name.IsExported() {
				checkNamed(r, s.Name, doc)
			}
		case *ast.ValueSpec:
			for _, name := range s.Names {
				if name.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
					r.report(name.Pos(), "comments", "%s %s has no comment", kindOf(d.Tok), name.Name)
				}
			}
		}
	}
}

// checkNamed asks for a comment that begins with the name, but for an article.
func checkNamed(r *reporter, name *ast.Ident, doc *ast.CommentGroup) {
	text := doc.Text()
	for _, article := range []string{"A ", "An ", "The "} {
		text = strings.TrimPrefix(text, article)
	}
	if !regexp.MustCompile(`^` + name.Name + `\b`).MatchString(text) {
		r.report(name.Pos(), "comments", "%s has no comment that begins with its name", name.Name)
	}
}

// receiver returns the name of the type that a method is of, or for a function
// its own.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	for {
		switch e := t.(type) {
		case *ast.StarExpr:
			t = e.X
		case *ast.IndexExpr:
			t = e.X
		case *ast.IndexListExpr:
			t = e.X
		case *ast.ParenExpr:
			t = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}

func kindOf(tok token.Token) string {
	if tok == token.CONST {
		return "constant"
	}
	return "variable"
}
