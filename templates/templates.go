package templates

import "embed"

//go:embed *.tmpl oapi/*.tmpl
var files embed.FS

// Own returns the text of one of onceberg's own templates, by file name. It
// panics when there is none: names are constants of the generator.
func Own(name string) string { return read(name) }

// Overrides returns the templates that stand in for oapi-codegen's, by the name
// that oapi-codegen calls them.
func Overrides() map[string]string {
	return map[string]string{
		"imports.tmpl":                         read("oapi/imports.tmpl"),
		"additional-properties.tmpl":           read("oapi/object.tmpl"),
		"union.tmpl":                           read("oapi/union.tmpl"),
		"union-and-additional-properties.tmpl": read("oapi/union-object.tmpl"),
		"echo/echo-interface.tmpl":             read("oapi/empty.tmpl"),
		"echo/echo-wrappers.tmpl":              read("oapi/empty.tmpl"),
		"echo/echo-register.tmpl":              read("oapi/empty.tmpl"),
		"strict/strict-responses.tmpl":         read("oapi/server.tmpl"),
		"strict/strict-interface.tmpl":         read("oapi/strict-interface.tmpl"),
		"strict/strict-echo.tmpl":              read("oapi/strict-echo.tmpl"),
	}
}

func read(name string) string {
	text, err := files.ReadFile(name)
	if err != nil {
		panic("templates: " + err.Error())
	}
	return string(text)
}
