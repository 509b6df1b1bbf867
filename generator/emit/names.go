package emit

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
)

// checkNames refuses code in which one name means two things, which the repairs
// are there to prevent: an error here is better than code that does not compile.
func checkNames(files []File) error {
	declared := map[string]string{} // by what, for fields and methods with their type
	declare := func(name, what string) error {
		if first, twice := declared[name]; twice && name != "_" {
			return fmt.Errorf("the generated code would have two meanings for the name %s: %s and %s", name, first, what)
		}
		declared[name] = what
		return nil
	}
	for _, f := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Text, parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("the generated code is not valid Go: %w", err)
		}
		for _, decl := range parsed.Decls {
			if err := declareAll(decl, declare); err != nil {
				return err
			}
		}
	}
	return nil
}

func declareAll(decl ast.Decl, declare func(name, what string) error) error {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv != nil {
			return declare(receiver(decl)+"."+decl.Name.Name, "a method")
		}
		return declare(decl.Name.Name, "a function")
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			if err := declareSpec(spec, declare); err != nil {
				return err
			}
		}
	}
	return nil
}

func declareSpec(spec ast.Spec, declare func(name, what string) error) error {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			if err := declare(name.Name, "a constant or variable"); err != nil {
				return err
			}
		}
	case *ast.TypeSpec:
		if err := declare(spec.Name.Name, "a type"); err != nil {
			return err
		}
		structure, ok := spec.Type.(*ast.StructType)
		if !ok {
			return nil
		}
		for _, field := range structure.Fields.List {
			for _, name := range field.Names {
				if err := declare(spec.Name.Name+"."+name.Name, "a field"); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func receiver(f *ast.FuncDecl) string {
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	name, _ := t.(*ast.Ident)
	return name.Name
}
