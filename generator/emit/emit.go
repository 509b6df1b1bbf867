package emit

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"text/template"

	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/plan"
	"github.com/onceberg/onceberg/templates"
)

// Options say how the Go code is to look.
type Options struct {
	// Package is the name of the generated package.
	Package string
	// RuntimeImport is the import path of onceberg's runtime.
	RuntimeImport string
}

// File is one generated file.
type File struct {
	Name string // without a folder
	Text []byte
}

// own lists the files rendered from the plan.
var own = []struct{ file, template string }{
	{"operations.gen.go", "operations.tmpl"},
	{"shapes.gen.go", "shapes.tmpl"},
	{"unimplemented.gen.go", "unimplemented.tmpl"},
}

// Render renders all files, sorted by name. It reads the document without
// changing it. It may be called from several goroutines; most of the work is then
// done one after another, since oapi-codegen keeps state of its own.
func Render(d *document.Document, p *plan.Plan, opts Options) ([]File, error) {
	f := file{Plan: view(p), Options: opts}
	texts, err := renderAPI(d, f)
	if err != nil {
		return nil, err
	}
	for _, o := range own {
		text, err := renderOwn(o.template, f)
		if err != nil {
			return nil, fmt.Errorf("rendering %s: %w", o.file, err)
		}
		texts[o.file] = text
	}
	files, err := finish(texts, f)
	if err != nil {
		return nil, err
	}
	return files, checkNames(files)
}

// file is what a template sees.
type file struct {
	Plan    planView
	Options Options
}

func renderOwn(name string, view file) (string, error) {
	t, err := template.New(name).Funcs(functions).Parse(templates.Own(name))
	if err != nil {
		return "", err
	}
	var text bytes.Buffer
	err = t.Execute(&text, view)
	return text.String(), err
}

var functions = template.FuncMap{
	"quote": strconv.Quote,
	"types": func(list []string) string {
		names := make([]string, len(list))
		for i, s := range list {
			names[i] = "runtime.JSON" + strings.ToUpper(s[:1]) + s[1:]
		}
		return strings.Join(names, " | ")
	},
	"strings": func(list []string) string {
		quoted := make([]string, len(list))
		for i, s := range list {
			quoted[i] = strconv.Quote(s)
		}
		return "[]string{" + strings.Join(quoted, ", ") + "}"
	},
}
