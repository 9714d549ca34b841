package tidy

import (
	"go/ast"
	"strings"
	"unicode/utf8"
)

// How long things may be.
const (
	fileLines  = 400
	funcLines  = 70
	columnsMax = 120
	tabColumns = 4
)

// checkLengths keeps files, functions and lines readable. Tests may have long
// functions, since a table of cases stands in them; in others the lines of a
// table do not count. Rows of tables, struct tags and addresses may make a line
// long.
func checkLengths(r *reporter, p *pkg) {
	for _, f := range p.files {
		lines := strings.Split(strings.TrimSuffix(string(f.text), "\n"), "\n")
		if len(lines) > fileLines {
			r.report(f.syntax.Package, "length", "the file has %d lines, and %d are enough", len(lines), fileLines)
		}
		rows := tableLines(r, f.syntax)
		if !f.test {
			checkFunctions(r, f, rows)
		}
		tagged := taggedLines(r, f)
		handle := r.fset.File(f.syntax.FileStart)
		for i, line := range lines {
			columns := utf8.RuneCountInString(line) + (tabColumns-1)*strings.Count(line, "\t")
			if columns > columnsMax && !rows[i+1] && !tagged[i+1] && !strings.Contains(line, "://") {
				r.report(handle.LineStart(i+1), "length", "the line has %d columns of %d", columns, columnsMax)
			}
		}
	}
}

func checkFunctions(r *reporter, f *file, rows map[int]bool) {
	for _, decl := range f.syntax.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		lines := 0
		for line := r.line(d.Pos()); line <= r.line(d.End()); line++ {
			if !rows[line] {
				lines++
			}
		}
		if lines > funcLines {
			r.report(d.Pos(), "length", "%s has %d lines, and %d fit on a screen", d.Name.Name, lines, funcLines)
		}
	}
}

// tableLines returns the lines of a file that hold rows of a table: a composite
// literal of several lines, without code in it.
func tableLines(r *reporter, syntax *ast.File) map[int]bool {
	rows := map[int]bool{}
	ast.Inspect(syntax, func(n ast.Node) bool {
		table, ok := n.(*ast.CompositeLit)
		if !ok || holdsCode(table) {
			return true
		}
		for line := r.line(table.Pos()) + 1; line <= r.line(table.End()); line++ {
			rows[line] = true
		}
		return false
	})
	return rows
}

func holdsCode(n ast.Node) (code bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		_, isFunc := n.(*ast.FuncLit)
		code = code || isFunc
		return !code
	})
	return code
}

// taggedLines returns the lines on which a struct tag stands.
func taggedLines(r *reporter, f *file) map[int]bool {
	tagged := map[int]bool{}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if field, ok := n.(*ast.Field); ok && field.Tag != nil {
			tagged[r.line(field.Tag.Pos())] = true
		}
		return true
	})
	return tagged
}
