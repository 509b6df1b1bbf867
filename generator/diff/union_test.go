package diff_test

const (
	ab  = "A: {type: object, required: [k], properties: {k: {type: string, enum: [a]}, x: {type: string}}}\nB: {type: object, required: [k], properties: {k: {type: string, enum: [b]}, y: {type: string}}}"
	abc = ab + "\nC: {type: object, required: [k], properties: {k: {type: string, enum: [c]}, z: {type: string}}}"
	// A base in the older way: subtypes extend it, and it names them.
	base    = "BA: {allOf: [{$ref: '#/components/schemas/Thing'}], properties: {x: {type: string}}}\nBB: {allOf: [{$ref: '#/components/schemas/Thing'}], properties: {y: {type: string}}}"
	subtype = "\nBC: {allOf: [{$ref: '#/components/schemas/Thing'}], properties: {z: {type: string}}}"
)

func ref(name string) string { return "{$ref: '#/components/schemas/" + name + "'}" }

var unionChanges = []change{
	{
		name: "arms added and removed",
		old:  doc("3.0.3", send, things("{oneOf: ["+ref("A")+", "+ref("B")+", {type: string}]}", abc)),
		new:  doc("3.0.3", send, things("{anyOf: ["+ref("A")+", "+ref("C")+", {type: string}, {type: integer}]}", abc)),
		want: []string{
			"variant-removed | clients | Thing in send | Thing can no longer be B",
			"variant-added | servers | Thing in send | Thing can be C now",
			"variant-added | servers | Thing in send | Thing can be integer now",
		},
	},
	{
		name: "arms by discriminator are told by their values",
		old:  doc("3.0.3", read, things("{oneOf: ["+ref("A")+", "+ref("B")+"], discriminator: {propertyName: k, mapping: {a: A, b: B}}}", abc)),
		new:  doc("3.0.3", read, things("{oneOf: ["+ref("A")+", "+ref("C")+"], discriminator: {propertyName: k, mapping: {a: A, c: C}}}", abc)),
		want: []string{
			"variant-removed | servers | Thing in read | Thing no longer has the variant b, B",
			"variant-added | clients | Thing in read | Thing has the variant c now, C",
		},
	},
	{
		name: "one more value for a known schema",
		old:  doc("3.0.3", read, things("{oneOf: ["+ref("A")+"], discriminator: {propertyName: k, mapping: {a: A}}}", ab)),
		new:  doc("3.0.3", read, things("{oneOf: ["+ref("A")+"], discriminator: {propertyName: k, mapping: {a: A, aa: A}}}", ab)),
		want: []string{"variant-added | clients | Thing in read | Thing has the variant aa now, A"},
	},
	{
		name: "a value stands for another schema",
		old:  doc("3.0.3", read, things("{oneOf: ["+ref("A")+", "+ref("B")+"], discriminator: {propertyName: k, mapping: {a: A, b: B}}}", ab)),
		new:  doc("3.0.3", read, things("{oneOf: ["+ref("A")+", "+ref("B")+"], discriminator: {propertyName: k, mapping: {a: B, b: B}}}", ab)),
		want: []string{"type-changed | clients servers | Thing in read | Thing(a) is B now, A before"},
	},
	{
		name: "a discriminator comes",
		old:  doc("3.0.3", read, things("{oneOf: ["+ref("A")+", "+ref("B")+"]}", ab)),
		new:  doc("3.0.3", read, things("{oneOf: ["+ref("A")+", "+ref("B")+"], discriminator: {propertyName: k, mapping: {a: A, b: B}}}", ab)),
		want: []string{"constraint-changed | nobody | Thing in read | Thing is told apart by k now"},
	},
	{
		name: "another discriminator",
		old:  doc("3.0.3", read, things("{oneOf: ["+ref("A")+"], discriminator: {propertyName: k, mapping: {a: A}}}", ab)),
		new:  doc("3.0.3", read, things("{oneOf: ["+ref("A")+"], discriminator: {propertyName: x, mapping: {a: A}}}", ab)),
		want: []string{"type-changed | clients servers | Thing in read | Thing is told apart by x now, by k before"},
	},
	{
		name: "a value that was implied",
		old:  doc("3.0.3", read, things("{oneOf: ["+ref("A")+"], discriminator: {propertyName: k}}", ab)),
		new:  doc("3.0.3", read, things("{oneOf: ["+ref("A")+"], discriminator: {propertyName: k, mapping: {a: A}}}", ab)),
		want: []string{"constraint-changed | nobody | Thing in read | Thing says that a stands for A now"},
	},
	{
		name: "a union where one schema was",
		old:  doc("3.0.3", read, things("{type: string}")),
		new:  doc("3.0.3", read, things("{oneOf: [{type: string}, {type: integer}]}")),
		want: []string{"variant-added | clients | Thing in read | Thing can be integer now"},
	},
	{
		name: "a union of other things than the schema that was",
		old:  doc("3.0.3", read, things("{type: boolean}")),
		new:  doc("3.0.3", read, things("{oneOf: [{type: string}, "+ref("A")+"]}", ab)),
		want: []string{"type-changed | clients servers | Thing in read | Thing is one of string, A now, boolean before"},
	},
	{
		name: "arms renamed: the likest are taken for each other",
		old:  doc("3.0.3", read, things("{oneOf: ["+ref("A")+", "+ref("B")+"]}", "A: {type: object, properties: {k: {type: string}, x: {type: string}}}\nB: {type: object, properties: {k: {type: string}, y: {type: string}}}")),
		new:  doc("3.0.3", read, things("{oneOf: ["+ref("D")+", "+ref("E")+"]}", "D: {type: object, properties: {k: {type: string}, y: {type: string}, more: {type: string}}}\nE: {type: object, properties: {k: {type: string}, x: {type: string}}}")),
		want: []string{
			"schema-renamed | servers | D in read | B is called D now",
			"field-added | nobody | D in read | D.more is new: optional, string",
			"schema-renamed | servers | E in read | A is called E now",
		},
	},
	{
		name: "fields beside the arms, and inline arms that changed",
		old:  doc("3.0.3", read, things("{oneOf: [{type: object, properties: {x: {type: string}, y: {type: string}}}], properties: {p: {type: string}}}")),
		new:  doc("3.0.3", read, things("{oneOf: [{type: object, properties: {x: {type: string}, y: {type: integer}}}], properties: {p: {type: integer}}}")),
		want: []string{
			"type-changed | clients servers | Thing in read | Thing.y is integer now, string before",
			"type-changed | clients servers | Thing in read | Thing.p is integer now, string before",
		},
	},
}

var inheritedChanges = []change{
	{
		name: "a base gets a field: told at the base, not at those that extend it",
		old:  doc("3.0.3", read, things("{allOf: ["+ref("Base")+"], properties: {a: {type: string}}}", "Base: {type: object, properties: {b: {type: string}}}")),
		new:  doc("3.0.3", read, things("{allOf: ["+ref("Base")+"], properties: {a: {type: string}}}", "Base: {type: object, required: [b], properties: {b: {type: string}, c: {type: string}}}")),
		want: []string{
			"field-required | servers | Base in read | Base.b is required now",
			"field-added | nobody | Base in read | Base.c is new: optional, string",
		},
	},
	{
		name: "another base",
		old:  doc("3.0.3", read, things("{allOf: ["+ref("Base")+"], properties: {a: {type: string}}}", "Base: {type: object, properties: {b: {type: string}}}\nOther: {type: object, properties: {c: {type: string}}}")),
		new:  doc("3.0.3", read, things("{allOf: ["+ref("Other")+"], properties: {a: {type: string}}}", "Base: {type: object, properties: {b: {type: string}}}\nOther: {type: object, properties: {c: {type: string}}}")),
		want: []string{
			"field-removed | clients | Thing in read | Thing.b is gone; it was optional, string",
			"field-added | nobody | Thing in read | Thing.c is new: optional, string",
		},
	},
	{
		name: "a schema requires what its base leaves open",
		old:  doc("3.0.3", read, things("{allOf: ["+ref("Base")+"]}", "Base: {type: object, properties: {b: {type: string}}}")),
		new:  doc("3.0.3", read, things("{allOf: ["+ref("Base")+"], required: [b]}", "Base: {type: object, properties: {b: {type: string}}}")),
		want: []string{"field-required | servers | Thing in read | Thing.b is required now"},
	},
	{
		name: "a base that names its subtypes",
		old:  doc("3.0.3", send, things("{type: object, discriminator: {propertyName: k, mapping: {a: BA}}, properties: {k: {type: string}}}", base)),
		new:  doc("3.0.3", send, things("{type: object, discriminator: {propertyName: k, mapping: {a: BA, b: BB}}, properties: {k: {type: string}, n: {type: string}}}", base)),
		want: []string{
			"field-added | nobody | Thing in send | Thing.n is new: optional, string",
			"variant-added | servers | Thing in send | Thing has the variant b now, BB",
		},
	},
	{
		name: "a base that lets its subtypes name themselves",
		old:  doc("3.0.3", send, things("{type: object, discriminator: {propertyName: k}, properties: {k: {type: string}}}", base)),
		new:  doc("3.0.3", send, things("{type: object, discriminator: {propertyName: k}, properties: {k: {type: string}}}", base+subtype)),
		want: []string{"variant-added | servers | Thing in send | Thing has the variant BC now, BC"},
	},
	{
		name: "a subtype has its base's fields, and not its siblings",
		old: doc("3.0.3", "/x: {get: {operationId: x, responses: {'200': {description: ok, content: {application/json: {schema: "+ref("BA")+"}}}}}}",
			things("{type: object, discriminator: {propertyName: k, mapping: {a: BA}}, properties: {k: {type: string}}}", base)),
		new: doc("3.0.3", "/x: {get: {operationId: x, responses: {'200': {description: ok, content: {application/json: {schema: "+ref("BA")+"}}}}}}",
			things("{type: object, discriminator: {propertyName: k, mapping: {a: BA, b: BB}}, properties: {k: {type: string}, n: {type: string}}}", base)),
		want: []string{"field-added | nobody | Thing in x | Thing.n is new: optional, string"},
	},
}
