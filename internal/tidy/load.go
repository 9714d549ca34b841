package tidy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// module is the path that imports of our own packages begin with.
const module = "hotslot"

// A pkg is a package with its tests. The tests of package x in package x_test
// are a package of their own.
type pkg struct {
	dir   string // from the root of the module, and so its import path in the table
	name  string
	files []*file
	scope *types.Scope
	info  *types.Info
}

// A file is a parsed Go file.
type file struct {
	name   string // from the root of the module
	text   []byte
	syntax *ast.File
	test   bool
}

// load parses all Go files under root.
func load(fset *token.FileSet, root fs.FS) ([]*pkg, error) {
	pkgs := map[string]*pkg{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 1 && d.Name()[0] == '.'):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go":
			return nil
		}
		f, err := parse(fset, root, name)
		if err != nil {
			return err
		}
		id := path.Dir(name) + " " + f.syntax.Name.Name
		if pkgs[id] == nil {
			pkgs[id] = &pkg{dir: path.Dir(name), name: f.syntax.Name.Name}
		}
		pkgs[id].files = append(pkgs[id].files, f)
		return nil
	})
	if err != nil {
		return nil, err
	}
	var sorted []*pkg
	for _, id := range slices.Sorted(maps.Keys(pkgs)) {
		pkgs[id].resolve(fset)
		sorted = append(sorted, pkgs[id])
	}
	return sorted, nil
}

func parse(fset *token.FileSet, root fs.FS, name string) (*file, error) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return nil, err
	}
	syntax, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &file{name, text, syntax, isTest(name)}, nil
}

// resolve finds out what each name in a package stands for. Imported packages
// are taken to be empty, so that nothing need be built: types come out
// incomplete, and the errors that follow from that are ignored.
func (p *pkg) resolve(fset *token.FileSet) {
	p.info = &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: emptyPackages{}, Error: func(error) {}}
	var syntax []*ast.File
	for _, f := range p.files {
		syntax = append(syntax, f.syntax)
	}
	checked, _ := config.Check(p.dir, fset, syntax, p.info)
	p.scope = checked.Scope()
}

// imported returns the path of the package that an expression names, or "".
func (p *pkg) imported(e ast.Expr) string {
	id, ok := e.(*ast.Ident)
	if !ok {
		return ""
	}
	name, ok := p.info.Uses[id].(*types.PkgName)
	if !ok {
		return ""
	}
	return name.Imported().Path()
}

// under reports whether a package lies in one of the directories, at any depth.
func (p *pkg) under(dirs ...string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool {
		return p.dir == dir || strings.HasPrefix(p.dir, dir+"/")
	})
}

// shipped returns the files of a package that are not tests.
func (p *pkg) shipped() []*file {
	return slices.DeleteFunc(slices.Clone(p.files), func(f *file) bool { return f.test })
}

// emptyPackages is an importer that makes up a package for any path.
type emptyPackages struct{}

// Import implements types.Importer.
func (emptyPackages) Import(importPath string) (*types.Package, error) {
	imported := types.NewPackage(importPath, path.Base(importPath))
	imported.MarkComplete()
	return imported, nil
}

func isTest(name string) bool { return strings.HasSuffix(name, "_test.go") }
