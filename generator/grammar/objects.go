package grammar

// object lists the keys of one kind of object, in the order in which they are
// written. A kind with free keys says in rest what they hold; needs are keys, too,
// separated by spaces.
type object struct {
	fields []field
	rest   Kind
	needs  string
}

// field gives the keys listed in names, separated by spaces, one rule. With
// inOrder, they keep the source's order among each other.
type field struct {
	names   string
	rule    Rule
	inOrder bool
}

func data(names string) field           { return field{names: names, rule: Rule{Form: Data}} }
func text(names string) field           { return field{names: names, rule: Rule{Form: Text}} }
func flag(names string) field           { return field{names: names, rule: Rule{Form: Flag}} }
func number(names string) field         { return field{names: names, rule: Rule{Form: Number}} }
func counts(names string) field         { return field{names: names, rule: Rule{Form: Count}} }
func list(names string) field           { return field{names: names, rule: Rule{Form: List}} }
func texts(names string) field          { return field{names: names, rule: Rule{Form: Texts}} }
func special(name string, f Form) field { return field{names: name, rule: Rule{Form: f}} }
func one(names string, k Kind) field    { return field{names: names, rule: Rule{One, k}} }
func each(names string, k Kind) field   { return field{names: names, rule: Rule{Each, k}} }
func named(names string, k Kind) field  { return field{names: names, rule: Rule{Named, k}} }

var objects = map[Kind]object{
	Document: {fields: []field{
		text("openapi"), one("info", Info), text("jsonSchemaDialect"), each("servers", Server), list("security"),
		each("tags", Tag), one("paths", Paths), named("webhooks", PathItem), one("components", Components),
	}},
	Info:           {fields: []field{text("title version"), one("license", License)}},
	License:        {fields: []field{text("name identifier url")}},
	Server:         {fields: []field{text("url"), named("variables", ServerVariable)}},
	ServerVariable: {fields: []field{texts("enum"), text("default")}},
	Tag:            {fields: []field{text("name")}},
	Paths:          {rest: PathItem},
	PathItem: {fields: []field{
		text("$ref"), each("servers", Server), each("parameters", Parameter),
		{names: Methods, rule: Rule{One, Operation}, inOrder: true},
	}},
	Operation: {fields: []field{
		texts("tags"), text("operationId"), flag("deprecated"), each("parameters", Parameter),
		one("requestBody", RequestBody), one("responses", Responses), named("callbacks", Callback),
		list("security"), each("servers", Server),
	}},
	Parameter: {needs: "name in", fields: []field{
		text("$ref name in"), flag("required deprecated allowEmptyValue"), text("style"), flag("explode allowReserved"),
		one("schema", Schema), named("content", MediaType),
	}},
	Header: {fields: []field{
		text("$ref"), flag("required deprecated"), text("style"), flag("explode"),
		one("schema", Schema), named("content", MediaType),
	}},
	RequestBody: {fields: []field{text("$ref"), flag("required"), named("content", MediaType)}},
	MediaType:   {fields: []field{one("schema", Schema), named("encoding", Encoding)}},
	Encoding: {fields: []field{
		text("contentType"), named("headers", Header), text("style"), flag("explode allowReserved"),
	}},
	Responses: {rest: Response},
	Response: {fields: []field{
		text("$ref"), special("description", Required), named("headers", Header), named("content", MediaType),
		named("links", Link),
	}},
	Callback: {fields: []field{text("$ref")}, rest: PathItem},
	Link: {fields: []field{
		text("$ref operationRef operationId"), data("parameters requestBody"), one("server", Server),
	}},
	Components: {fields: []field{
		named("parameters", Parameter), named("headers", Header), named("requestBodies", RequestBody),
		named("responses", Response), named("schemas", Schema), named("links", Link), named("callbacks", Callback),
		named("pathItems", PathItem), named("securitySchemes", SecurityScheme),
	}},
	Schema: {fields: []field{
		text("$ref $schema $id $anchor $dynamicRef $dynamicAnchor"), data("$vocabulary"),
		special("title", Title), special("type", TypeNames), text("format"),
		flag("nullable deprecated readOnly writeOnly"), data("const"), list("enum"), data("default"),
		counts("minLength maxLength"), text("pattern"),
		// In 3.0 the exclusive bounds are booleans, in 3.1 numbers.
		number("minimum"), data("exclusiveMinimum"), number("maximum"), data("exclusiveMaximum"),
		number("multipleOf"), counts("minItems maxItems"), flag("uniqueItems"),
		counts("minContains maxContains minProperties maxProperties"),
		text("contentEncoding contentMediaType"), one("contentSchema", Schema),
		texts("required"), data("dependentRequired"), one("discriminator", Discriminator),
		each("allOf anyOf oneOf", Schema), one("not if then else", Schema),
		named("properties patternProperties", Schema),
		one("propertyNames additionalProperties unevaluatedProperties", Schema), named("dependentSchemas", Schema),
		each("prefixItems", Schema), one("items contains unevaluatedItems", Schema), data("xml"),
		named("$defs definitions", Schema),
	}},
	Discriminator: {needs: "propertyName", fields: []field{text("propertyName"), special("mapping", TextMap)}},
	SecurityScheme: {fields: []field{
		text("$ref type scheme bearerFormat name in openIdConnectUrl"), one("flows", OAuthFlows),
	}},
	OAuthFlows: {fields: []field{one("implicit password clientCredentials authorizationCode", OAuthFlow)}},
	OAuthFlow:  {fields: []field{text("authorizationUrl tokenUrl refreshUrl"), special("scopes", Glossary)}},
}
