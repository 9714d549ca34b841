package tidy

import (
	"go/ast"
	"regexp"
)

var (
	// unfinished marks work that is left for later.
	unfinished = regexp.MustCompile(`\b(TODO|FIXME|XXX|HACK)\b`)
	// oldRoles are what Redis has long called primary and replica: a word in a
	// comment, or any part of a name. Redis's names for its functions and fields
	// (clusterGetSlaveRank, master_host) are no words of ours.
	oldRoles       = regexp.MustCompile(`(?i)\b(master|slave)s?\b`)
	oldRolesInName = regexp.MustCompile(`(?i)master|slave`)
	// quoted is text that a comment reproduces.
	quoted = regexp.MustCompile("\"[^\"\n]*\"|`[^`\n]*`")
)

// checkWords reports words that are not ours, in names and comments. String
// literals and what a comment quotes may reproduce Redis's text.
func checkWords(r *reporter, p *pkg) {
	for _, f := range p.files {
		for _, group := range f.syntax.Comments {
			for _, comment := range group.List {
				checkComment(r, comment)
			}
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && oldRolesInName.MatchString(id.Name) {
				r.report(id.Pos(), "words", "%s: say primary or replica", id.Name)
			}
			return true
		})
	}
}

func checkComment(r *reporter, comment *ast.Comment) {
	text := quoted.ReplaceAllString(comment.Text, "")
	if word := unfinished.FindString(text); word != "" {
		r.report(comment.Pos(), "words", "%s: finish it", word)
	}
	if word := oldRoles.FindString(text); word != "" {
		r.report(comment.Pos(), "words", "%s: say primary or replica, or quote Redis's text", word)
	}
}
