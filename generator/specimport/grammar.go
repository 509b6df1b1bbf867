package specimport

import (
	"strings"

	"github.com/onceberg/onceberg/generator/document"
)

// kind names an object of OpenAPI whose keys the specification defines.
type kind string

const (
	openAPI        kind = "OpenAPI document"
	info           kind = "info"
	license        kind = "license"
	server         kind = "server"
	serverVariable kind = "server variable"
	tag            kind = "tag"
	paths          kind = "paths"
	pathItem       kind = "path item"
	operation      kind = "operation"
	parameter      kind = "parameter"
	requestBody    kind = "request body"
	mediaType      kind = "media type"
	encoding       kind = "encoding"
	responses      kind = "responses"
	response       kind = "response"
	callback       kind = "callback"
	header         kind = "header"
	link           kind = "link"
	components     kind = "components"
	schema         kind = "schema"
	securityScheme kind = "security scheme"
	oauthFlows     kind = "OAuth flows"
	oauthFlow      kind = "OAuth flow"
)

const (
	schemaIdentity    = "$ref $schema $id $anchor $dynamicRef $dynamicAnchor $vocabulary"
	schemaAnnotations = "nullable deprecated readOnly writeOnly"
	schemaBounds      = "minLength maxLength pattern minimum exclusiveMinimum maximum exclusiveMaximum multipleOf " +
		"minItems maxItems uniqueItems minContains maxContains minProperties maxProperties"
)

// rule says what becomes of a field's value.
type rule struct {
	form form
	of   kind
}

type form int

const (
	data     form = iota // kept as it is, never looked into
	one                  // one object of a kind
	each                 // a list of them
	named                // a map from free names to them
	blanked              // a map from free names to prose: the names are kept
	empty                // prose that must be there: written as an empty string
	label                // kept beside a const, prose otherwise
	unlisted             // not in the grammar: prose when it reads as prose
)

// field gives the keys listed in names, separated by spaces, one rule. Keys of
// different fields are written in the order of the fields; the keys of a field
// with inOrder keep upstream's order among each other.
type field struct {
	names   string
	rule    rule
	inOrder bool
}

// shape lists the facts of one kind of object, in the order in which they are
// written. Prose has no entry: see factsOf. A kind with free keys has rest for
// them; they keep upstream's order.
type shape struct {
	fields []field
	rest   *rule
}

func facts(names string) field           { return field{names: names} }
func object(names string, k kind) field  { return field{names: names, rule: rule{one, k}} }
func list(names string, k kind) field    { return field{names: names, rule: rule{each, k}} }
func mapping(names string, k kind) field { return field{names: names, rule: rule{named, k}} }

// grammar covers OpenAPI 3.0 and 3.1 and, for schemas, JSON Schema 2020-12.
var grammar = map[kind]shape{
	openAPI: {fields: []field{
		facts("openapi"), object("info", info), facts("jsonSchemaDialect"), list("servers", server),
		facts("security"), list("tags", tag), object("paths", paths), mapping("webhooks", pathItem),
		object("components", components),
	}},
	info:           {fields: []field{facts("title version"), object("license", license)}},
	license:        {fields: []field{facts("name identifier url")}},
	server:         {fields: []field{facts("url"), mapping("variables", serverVariable)}},
	serverVariable: {fields: []field{facts("enum default")}},
	tag:            {fields: []field{facts("name")}},
	paths:          {rest: &rule{one, pathItem}},
	pathItem: {fields: []field{
		facts("$ref"), list("servers", server), list("parameters", parameter),
		{names: strings.Join(document.Methods, " "), rule: rule{one, operation}, inOrder: true},
	}},
	operation: {fields: []field{
		facts("tags operationId deprecated"), list("parameters", parameter), object("requestBody", requestBody),
		object("responses", responses), mapping("callbacks", callback), facts("security"), list("servers", server),
	}},
	parameter: {fields: []field{
		facts("$ref name in required deprecated allowEmptyValue style explode allowReserved"),
		object("schema", schema), mapping("content", mediaType),
	}},
	header: {fields: []field{
		facts("$ref required deprecated style explode"), object("schema", schema), mapping("content", mediaType),
	}},
	requestBody: {fields: []field{facts("$ref required"), mapping("content", mediaType)}},
	mediaType:   {fields: []field{object("schema", schema), mapping("encoding", encoding)}},
	encoding: {fields: []field{
		facts("contentType"), mapping("headers", header), facts("style explode allowReserved"),
	}},
	responses: {rest: &rule{one, response}},
	response: {fields: []field{
		facts("$ref"), {names: "description", rule: rule{form: empty}},
		mapping("headers", header), mapping("content", mediaType), mapping("links", link),
	}},
	callback: {fields: []field{facts("$ref")}, rest: &rule{one, pathItem}},
	link: {fields: []field{
		facts("$ref operationRef operationId parameters requestBody"), object("server", server),
	}},
	components: {fields: []field{
		mapping("parameters", parameter), mapping("headers", header), mapping("requestBodies", requestBody),
		mapping("responses", response), mapping("schemas", schema), mapping("links", link),
		mapping("callbacks", callback), mapping("pathItems", pathItem), mapping("securitySchemes", securityScheme),
	}},
	schema: {fields: []field{
		facts(schemaIdentity), {names: "title", rule: rule{form: label}}, facts("type format"), facts(schemaAnnotations),
		facts("const enum default"), facts(schemaBounds), facts("contentEncoding contentMediaType"),
		object("contentSchema", schema), facts("required dependentRequired discriminator"),
		list("allOf anyOf oneOf", schema), object("not if then else", schema),
		mapping("properties patternProperties", schema), object("propertyNames additionalProperties", schema),
		object("unevaluatedProperties", schema), mapping("dependentSchemas", schema),
		list("prefixItems", schema), object("items contains unevaluatedItems", schema), facts("xml"),
		mapping("$defs definitions", schema),
	}},
	securityScheme: {fields: []field{
		facts("$ref type scheme bearerFormat name in openIdConnectUrl"), object("flows", oauthFlows),
	}},
	oauthFlows: {fields: []field{object("implicit password clientCredentials authorizationCode", oauthFlow)}},
	oauthFlow: {fields: []field{
		facts("authorizationUrl tokenUrl refreshUrl"), {names: "scopes", rule: rule{form: blanked}},
	}},
}

// place is a key's rule and its rank among the keys of its object.
type place struct {
	rule rule
	rank int
}

var places = func() map[kind]map[string]place {
	index := map[kind]map[string]place{}
	for k, s := range grammar {
		index[k] = map[string]place{}
		rank := 0
		for _, f := range s.fields {
			for _, name := range strings.Fields(f.names) {
				index[k][name] = place{f.rule, rank}
				if !f.inOrder {
					rank++
				}
			}
			rank++
		}
	}
	return index
}()
