package plan

import (
	"net/http"
	"net/textproto"
	"slices"
	"strconv"
	"strings"

	"github.com/onceberg/onceberg/generator/document"
)

// Also is the DeclaredAt of an operation that the configuration adds.
const Also = "also"

// Operation is one operation of the document.
type Operation struct {
	// ID is the operationId.
	ID string
	// Method is the HTTP method, in upper case; Path the path template.
	Method, Path string
	// PrefixOptional is true when the operation is also served without its
	// {prefix} segment.
	PrefixOptional bool
	// Tag is the operation's first tag, empty when it has none.
	Tag string
	// Deprecated is the document's own mark.
	Deprecated bool
	// Idempotent is true when the guard honours a key on this operation.
	Idempotent bool
	// DeclaredAt is the JSON pointer of the parameter that declares the key,
	// "also" when the configuration adds it, empty otherwise.
	DeclaredAt string
	// Statuses are all declared statuses, sorted; a range reads "5XX".
	Statuses []string
	// FinalStatuses are the declared statuses that are recorded and replayed,
	// ReleasedStatuses those that free the key. Both are empty when the
	// operation is not idempotent.
	FinalStatuses, ReleasedStatuses []string
	// StateUnknown is true when 500, 502 or 504 is declared by itself: the
	// document then speaks of a commit whose state cannot be known.
	StateUnknown bool
	// OAuthErrors is true when errors have the form of RFC 6749.
	OAuthErrors bool
	// Secrets are the fields of success responses that must not be stored.
	Secrets []Secret
	// Body and Form name the shapes of the request body as JSON and as a form;
	// empty when there is none. BodyRequired is false when the body may be left
	// out.
	Body, Form   string
	BodyRequired bool
}

// Secret is a field of a response that must not be stored.
type Secret struct {
	// Pointer leads to it; "*" stands for every element or member.
	Pointer string
	// Entries is true when only the secret-bearing entries of a map are cut.
	Entries bool
}

// Mutates reports whether the method may change something.
func (o Operation) Mutates() bool {
	switch o.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		return false
	}
	return true
}

// Declares reports whether the document itself declares the key on this
// mutation.
func (o Operation) Declares() bool {
	return o.DeclaredAt != "" && o.DeclaredAt != Also && o.Mutates()
}

type builder struct {
	read, doc *document.Document
	opts      Options
	header    string
	shapesOut map[string]Shape
	holders   *holders
}

func (b *builder) operation(path, method string, item *document.Node) (Operation, error) {
	node := item.Get(method)
	at := document.Pointer("/paths").To(path)
	op := Operation{
		ID:         node.Get("operationId").Str(),
		Method:     strings.ToUpper(method),
		Path:       path,
		Deprecated: node.Get("deprecated").True(),
	}
	if tags := node.Get("tags").Strings(); len(tags) > 0 {
		op.Tag = tags[0]
	}
	if err := b.checkPath(at, method); err != nil {
		return Operation{}, err
	}
	op.DeclaredAt = string(b.declaration(at, method))
	op.Idempotent = op.Declares()
	if !op.Idempotent && slices.Contains(b.opts.Also, op.ID) {
		op.Idempotent, op.DeclaredAt = true, Also
	}
	if slices.Contains(b.opts.Except, op.ID) {
		op.Idempotent = false
	}
	b.statuses(&op, node)
	op.OAuthErrors = b.oauthErrors(node)
	b.requestBody(&op, at.To(method))
	var err error
	op.Secrets, err = b.secrets(at.To(method))
	return op, err
}

// declaration finds the parameter that declares the key: on the operation, or on
// its path item.
func (b *builder) declaration(at document.Pointer, method string) document.Pointer {
	for _, p := range []document.Pointer{at.To(method, "parameters"), at.To("parameters")} {
		for i, parameter := range b.doc.Lookup(p).Elements() {
			if b.doc.IsHeader(parameter, b.header) {
				return p.Index(i)
			}
		}
	}
	return ""
}

func canonical(header string) string { return textproto.CanonicalMIMEHeaderKey(header) }

func (b *builder) statuses(op *Operation, node *document.Node) {
	for status := range node.Get("responses").Members() {
		op.Statuses = append(op.Statuses, strings.ToUpper(status))
	}
	slices.Sort(op.Statuses)
	op.FinalStatuses, op.ReleasedStatuses = []string{}, []string{}
	for _, status := range op.Statuses {
		if status == "500" || status == "502" || status == "504" {
			op.StateUnknown = true
		}
		if !op.Idempotent {
			continue
		}
		switch final, known := isFinal(status); {
		case known && final:
			op.FinalStatuses = append(op.FinalStatuses, status)
		case known:
			op.ReleasedStatuses = append(op.ReleasedStatuses, status)
		}
	}
}

// isFinal says whether a status is recorded and replayed. The runtime decides by
// the same rule; a test holds the two together. A range of 4XX has some of both
// and "default" is no status: neither is known.
func isFinal(status string) (final, known bool) {
	code, err := strconv.Atoi(status)
	if err != nil {
		return status == "2XX", status == "2XX" || status == "5XX"
	}
	switch code {
	case 401, 403, 408, 419, 421, 425, 429:
		return false, true
	}
	return code >= 200 && code < 300 || code >= 400 && code < 500, true
}

// oauthErrors looks at the declared 400: RFC 6749 errors are not wrapped and
// have a string under "error".
func (b *builder) oauthErrors(node *document.Node) bool {
	schema := b.jsonSchema(node.At("responses", "400"))
	properties := schema.Get("properties")
	return properties.Has("error_description") && b.doc.Resolve(properties.Get("error")).Get("type").Str() == "string"
}

// jsonSchema resolves the JSON schema of a response or request body.
func (b *builder) jsonSchema(holder *document.Node) *document.Node {
	for mediaType, media := range b.doc.Resolve(holder).Get("content").Members() {
		if IsJSON(mediaType) {
			return b.doc.Resolve(media.Get("schema"))
		}
	}
	return nil
}

// IsJSON reports whether a media type is JSON, with or without parameters.
func IsJSON(mediaType string) bool {
	base, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	base = strings.TrimSpace(base)
	return base == "application/json" || strings.HasSuffix(base, "+json")
}
