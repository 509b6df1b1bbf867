package diff_test

var fieldChanges = []change{
	{
		name: "fields of a request",
		old:  doc("3.0.3", send, things("{type: object, required: [a, b], properties: {a: {type: string}, b: {type: string}, c: {type: string}}}")),
		new:  doc("3.0.3", send, things("{type: object, required: [a, c, d], properties: {b: {type: string}, c: {type: string}, d: {type: string}, e: {type: array, items: {type: string}}}}")),
		want: []string{
			"field-removed | clients | Thing in send | Thing.a is gone; it was required, string",
			"field-optional | servers | Thing in send | Thing.b is optional now",
			"field-required | clients | Thing in send | Thing.c is required now",
			"field-added | clients | Thing in send | Thing.d is new: required, string",
			"field-added | nobody | Thing in send | Thing.e is new: optional, array of string",
		},
	},
	{
		name: "fields of a response",
		old:  doc("3.0.3", read, things("{type: object, required: [a], properties: {a: {type: string}, c: {type: string}}}")),
		new:  doc("3.0.3", read, things("{type: object, required: [c, d], properties: {a: {type: string}, c: {type: string}, d: {type: object, additionalProperties: {type: string}}}}")),
		want: []string{
			"field-optional | clients | Thing in read | Thing.a is optional now",
			"field-required | servers | Thing in read | Thing.c is required now",
			"field-added | servers | Thing in read | Thing.d is new: required, map of string",
		},
	},
	{
		name: "what goes both ways breaks both",
		old:  doc("3.0.3", send+"\n"+read, things("{type: object, required: [a], properties: {a: {type: string}}}")),
		new:  doc("3.0.3", send+"\n"+read, things("{type: object, properties: {a: {type: string}}}")),
		want: []string{"field-optional | clients servers | Thing in send read | Thing.a is optional now"},
	},
	{
		name: "null, in the words of 3.0 and of 3.1",
		old:  doc("3.0.3", read, things("{type: object, properties: {a: {type: string, nullable: true}, b: {type: string}, c: {$ref: '#/components/schemas/C'}}}", "C: {type: object}")),
		new:  doc("3.1.0", read, things("{type: object, properties: {a: {type: string}, b: {type: [string, 'null']}, c: {oneOf: [{$ref: '#/components/schemas/C'}, {type: 'null'}]}}}", "C: {type: object}")),
		want: []string{
			"field-not-nullable | servers | Thing in read | Thing.a can no longer be null",
			"field-nullable | clients | Thing in read | Thing.b can be null now",
			"field-nullable | clients | Thing in read | Thing.c can be null now",
		},
	},
	{
		name: "field deprecated, also beside a reference",
		old:  doc("3.1.0", read, things("{type: object, properties: {a: {type: string}, c: {$ref: '#/components/schemas/C'}}}", "C: {type: object}")),
		new:  doc("3.1.0", read, things("{type: object, properties: {a: {type: string, deprecated: true}, c: {deprecated: true, $ref: '#/components/schemas/C'}}}", "C: {type: object}")),
		want: []string{
			"deprecated | nobody | Thing in read | Thing.a is deprecated now",
			"deprecated | nobody | Thing in read | Thing.c is deprecated now",
		},
	},
	{
		name: "a change deep inside is told once, at its component",
		old:  doc("3.0.3", send+"\n"+read, things("{type: object, properties: {a: {type: array, items: {$ref: '#/components/schemas/C'}}, b: {$ref: '#/components/schemas/C'}}}", "C: {type: object, properties: {self: {$ref: '#/components/schemas/C'}}}")),
		new:  doc("3.0.3", send+"\n"+read, things("{type: object, properties: {a: {type: array, items: {$ref: '#/components/schemas/C'}}, b: {$ref: '#/components/schemas/C'}}}", "C: {type: object, properties: {self: {$ref: '#/components/schemas/C'}, n: {type: integer, format: int64}}}")),
		want: []string{"field-added | nobody | C in send read | C.n is new: optional, integer int64"},
	},
	{
		name: "a component that nothing leads to any more is left out",
		old:  doc("3.0.3", read, things("{type: object, properties: {a: {$ref: '#/components/schemas/C'}}}", "C: {type: object}")),
		new:  doc("3.0.3", read, things("{type: object}", "C: {type: string}")),
		want: []string{"field-removed | clients | Thing in read | Thing.a is gone; it was optional, C"},
	},
}

var typeChanges = []change{
	{
		name: "what a limit holds",
		old:  doc("3.1.0", send, things("{type: object, patternProperties: {'^a': {type: string}}}")),
		new:  doc("3.1.0", send, things("{type: object, patternProperties: {'^a': {type: integer, enum: [1]}}}")),
		want: []string{`constraint-changed | clients servers | Thing in send | patternProperties of Thing is {"^a":{"type":"integer","enum":[1]}} now, {"^a":{"type":"string"}} before`},
	},
	{
		name: "nothing at all, long unions and null in words",
		old:  doc("3.1.0", send, things("{type: object, properties: {a: {type: string}, b: {type: boolean}}}")),
		new:  doc("3.1.0", send, things("{type: object, properties: {a: false, b: {oneOf: [{type: string}, {type: [integer, 'null']}, {type: array, items: {}}, {type: object}, {type: number}]}}}")),
		want: []string{
			"type-changed | clients servers | Thing in send | Thing.a is nothing now, string before",
			"type-changed | clients servers | Thing in send | Thing.b is one of string, integer or null, array of anything, object, … now, boolean before",
		},
	},
	{
		name: "a schema that stands elsewhere than in the components",
		old:  doc("3.0.3", "/x: {get: {operationId: x, responses: {'200': {description: ok, content: {application/json: {schema: {type: string}}}}, '201': {description: ok, content: {application/json: {schema: {$ref: '#/paths/~1x/get/responses/200/content/application~1json/schema'}}}}}}}", ""),
		new:  doc("3.0.3", "/x: {get: {operationId: x, responses: {'200': {description: ok, content: {application/json: {schema: {type: string, maxLength: 3}}}}, '201': {description: ok, content: {application/json: {schema: {$ref: '#/paths/~1x/get/responses/200/content/application~1json/schema'}}}}}}}", ""),
		want: []string{
			"constraint-changed | servers | x | maxLength of the 200 response is 3 now, none before",
			"constraint-changed | servers | schema in x | maxLength of schema at #/paths/~1x/get/responses/200/content/application~1json/schema is 3 now, none before",
		},
	},
	{
		name: "type and format",
		old:  doc("3.1.0", read, things("{type: object, properties: {a: {type: string}, b: {type: integer}, c: {type: string}, d: {}, e: {type: array, items: {type: string}}}}")),
		new:  doc("3.1.0", read, things("{type: object, properties: {a: {type: integer}, b: {type: integer, format: int64}, c: {type: [string, integer]}, d: {type: string}, e: {type: string}}}")),
		want: []string{
			"type-changed | clients servers | Thing in read | Thing.a is integer now, string before",
			"type-changed | clients servers | Thing in read | Thing.b is integer int64 now, integer before",
			"type-changed | clients servers | Thing in read | Thing.c is integer or string now, string before",
			"type-changed | clients servers | Thing in read | Thing.d is string now, anything before",
			"type-changed | clients servers | Thing in read | Thing.e is string now, array of string before",
		},
	},
	{
		name: "values and their limits",
		old:  doc("3.0.3", send, things("{type: object, properties: {a: {type: string, enum: [x, y]}, b: {type: string}, c: {type: integer, enum: [1]}, d: {type: boolean}}}")),
		new:  doc("3.0.3", send, things("{type: object, properties: {a: {type: string, enum: [y, z]}, b: {type: string, enum: [x]}, c: {type: integer}, d: {type: boolean, default: true}}}")),
		want: []string{
			`enum-value-removed | clients | Thing in send | Thing.a can no longer be "x"`,
			`enum-value-added | servers | Thing in send | Thing.a can be "z" now`,
			`constraint-changed | clients | Thing in send | Thing.b is limited to "x" now`,
			"constraint-changed | servers | Thing in send | Thing.c is no longer limited to 1",
			"constraint-changed | nobody | Thing in send | default of Thing.d is true now, none before",
		},
	},
	{
		name: "limits go up and down",
		old:  doc("3.0.3", send, things("{type: object, properties: {a: {type: integer, minimum: 2, maximum: 9}, b: {type: string, pattern: 'a'}, c: {type: string, maxLength: 3}, d: {type: array, minItems: 2, items: {type: string}}, e: {type: number, multipleOf: 2}}}")),
		new:  doc("3.0.3", send, things("{type: object, properties: {a: {type: integer, minimum: 1, maximum: 8}, b: {type: string, pattern: 'b'}, c: {type: string}, d: {type: array, minItems: 10, items: {type: string}}, e: {type: number, multipleOf: 4}}}")),
		want: []string{
			"constraint-changed | clients | Thing in send | maximum of Thing.a is 8 now, 9 before",
			"constraint-changed | servers | Thing in send | minimum of Thing.a is 1 now, 2 before",
			`constraint-changed | clients servers | Thing in send | pattern of Thing.b is "b" now, "a" before`,
			"constraint-changed | servers | Thing in send | maxLength of Thing.c is none now, 3 before",
			"constraint-changed | clients | Thing in send | minItems of Thing.d is 10 now, 2 before",
			"constraint-changed | clients servers | Thing in send | multipleOf of Thing.e is 4 now, 2 before",
		},
	},
	{
		name: "elements of arrays and members of maps",
		old:  doc("3.1.0", send, things("{type: object, properties: {a: {type: array}, b: {type: object, additionalProperties: {type: string}}, c: {type: object, additionalProperties: {type: string}}, d: {type: object, properties: {x: {type: string}}}}}")),
		new:  doc("3.1.0", send, things("{type: object, properties: {a: {type: array, items: {type: string}}, b: {type: object}, c: {type: object, additionalProperties: {type: integer}}, d: {type: object, additionalProperties: false, properties: {x: {type: string}}}}}")),
		want: []string{
			"constraint-changed | clients | Thing in send | items of Thing.a must be string now",
			"constraint-changed | servers | Thing in send | additionalProperties of Thing.b can be anything now, string before",
			"type-changed | clients servers | Thing in send | Thing.c{} is integer now, string before",
			"constraint-changed | clients | Thing in send | Thing.d takes no other fields now",
		},
	},
	{
		name: "one known schema in another's place",
		old:  doc("3.0.3", send+"\n"+read, things("{type: object, properties: {a: {$ref: '#/components/schemas/A'}}}", "A: {type: string}", "B: {type: object}")),
		new:  doc("3.0.3", send+"\n"+read, things("{type: object, properties: {a: {$ref: '#/components/schemas/B'}}}", "A: {type: string}", "B: {type: object}")),
		want: []string{"type-changed | clients servers | Thing in send read | Thing.a is B now, A before"},
	},
	{
		name: "a union around the schema that stood there",
		old:  doc("3.0.3", read, things("{type: object, properties: {a: {$ref: '#/components/schemas/A'}}}", "A: {type: string}")),
		new:  doc("3.0.3", read, things("{type: object, properties: {a: {$ref: '#/components/schemas/B'}}}", "A: {type: string}", "B: {oneOf: [{$ref: '#/components/schemas/A'}, {type: integer}]}")),
		want: []string{"type-changed | clients | Thing in read | Thing.a is B now, A before"},
	},
	{
		name: "a schema renamed",
		old:  doc("3.0.3", read, things("{type: object, properties: {a: {$ref: '#/components/schemas/A'}, b: {$ref: '#/components/schemas/A'}}}", "A: {type: object, properties: {x: {type: string}, self: {$ref: '#/components/schemas/A'}}}")),
		new:  doc("3.0.3", read, things("{type: object, properties: {a: {$ref: '#/components/schemas/B'}, b: {$ref: '#/components/schemas/B'}}}", "B: {type: object, properties: {x: {type: string}, self: {$ref: '#/components/schemas/B'}}}")),
		want: []string{"schema-renamed | servers | B in read | A is called B now"},
	},
	{
		name: "a schema renamed and changed",
		old:  doc("3.0.3", read, things("{type: object, properties: {a: {$ref: '#/components/schemas/A'}}}", "A: {type: object, properties: {x: {type: string}, y: {type: string}}}")),
		new:  doc("3.0.3", read, things("{type: object, properties: {a: {$ref: '#/components/schemas/B'}}}", "B: {type: object, properties: {x: {type: string}, y: {type: integer}}}")),
		want: []string{
			"schema-renamed | servers | B in read | A is called B now",
			"type-changed | clients servers | B in read | B.y is integer now, string before",
		},
	},
	{
		name: "a new schema that has nothing of the one that went away",
		old:  doc("3.0.3", read, things("{type: object, properties: {a: {$ref: '#/components/schemas/A'}}}", "A: {type: object, properties: {x: {type: string}}}")),
		new:  doc("3.0.3", read, things("{type: object, properties: {a: {$ref: '#/components/schemas/B'}}}", "B: {type: object, properties: {y: {type: string}}}")),
		want: []string{"type-changed | clients servers | Thing in read | Thing.a is B now, A before"},
	},
}
