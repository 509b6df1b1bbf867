package golden

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const snippetMark = "=== "

// expectSnippets compares the declarations that snippets.txt names.
func (c goldenCase) expectSnippets(t *testing.T, m *module) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(c.dir, snippetsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	declared := declarations(t, m.path(c.pkg()))
	var out bytes.Buffer
	for line := range strings.Lines(string(text)) {
		name, marked := strings.CutPrefix(strings.TrimSuffix(line, "\n"), snippetMark)
		if !marked {
			continue
		}
		text, found := declared[name]
		if !found {
			t.Errorf("%s names %s, which the code does not declare", snippetsFile, name)
		}
		fmt.Fprintf(&out, "%s%s\n%s\n", snippetMark, name, text)
	}
	c.expect(t, snippetsFile, out.Bytes())
}

// declarations are the texts of the types, constants, variables and functions
// that a folder declares, without their comments. A method's name is Type.Method.
func declarations(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, file := range files {
		source := read(t, file)
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		text := func(n ast.Node) string {
			return string(source[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset])
		}
		for _, decl := range parsed.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				decl.Doc = nil
				found[funcName(decl)] = text(decl)
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					for _, name := range specNames(spec) {
						found[name] = decl.Tok.String() + " " + text(spec)
					}
				}
			}
		}
	}
	return found
}

func funcName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	receiver := f.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	return receiver.(*ast.Ident).Name + "." + f.Name.Name
}

func specNames(spec ast.Spec) []string {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return []string{spec.Name.Name}
	case *ast.ValueSpec:
		var names []string
		for _, name := range spec.Names {
			names = append(names, name.Name)
		}
		return names
	}
	return nil
}
