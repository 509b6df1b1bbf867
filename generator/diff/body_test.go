package diff_test

const text204 = "responses: {'204': {description: ok}}"

var bodyChanges = []change{
	{
		name: "optional body added",
		old:  doc("3.0.3", post(text204), ""),
		new:  doc("3.0.3", post("requestBody: {content: {application/json: {schema: {type: object}}}}, "+text204), ""),
		want: []string{"body-added | nobody | x | it takes a request body now, which is optional"},
	},
	{
		name: "required body added",
		old:  doc("3.0.3", post(text204), ""),
		new:  doc("3.0.3", post("requestBody: {required: true, content: {application/json: {schema: {type: object}}}}, "+text204), ""),
		want: []string{"body-added | clients | x | it takes a request body now, which is required"},
	},
	{
		name: "body removed",
		old:  doc("3.0.3", post("requestBody: {content: {application/json: {schema: {type: object}}}}, "+text204), ""),
		new:  doc("3.0.3", post(text204), ""),
		want: []string{"body-removed | clients | x | it no longer takes a request body"},
	},
	{
		name: "body required, and another media type",
		old:  doc("3.0.3", post("requestBody: {content: {application/json: {schema: {type: object}}}}, "+text204), ""),
		new:  doc("3.0.3", post("requestBody: {required: true, content: {application/x-www-form-urlencoded: {schema: {type: object}}}}, "+text204), ""),
		want: []string{
			"body-required | clients | x | the request body is required now",
			"media-type-removed | clients | x | the request body is no longer application/json",
			"media-type-added | nobody | x | the request body can be application/x-www-form-urlencoded now",
		},
	},
	{
		name: "a shared body becomes optional",
		old: doc("3.0.3", post("requestBody: {$ref: '#/components/requestBodies/B'}, "+text204),
			"requestBodies: {B: {required: true, content: {application/json: {schema: {type: object}}}}}"),
		new: doc("3.0.3", post("requestBody: {$ref: '#/components/requestBodies/B'}, "+text204),
			"requestBodies: {B: {content: {application/json: {schema: {type: object}}}}}"),
		want: []string{"body-optional | servers | B in x | request body B is optional now"},
	},
	{
		name: "a response gets a body, and another loses it",
		old:  doc("3.0.3", post("responses: {'200': {description: ok}, '400': {description: no, content: {application/json: {schema: {type: object}}}}}"), ""),
		new:  doc("3.0.3", post("responses: {'200': {description: ok, content: {application/json: {schema: {type: object}}}}, '400': {description: no}}"), ""),
		want: []string{
			"body-added | nobody | x | the 200 response has a body now",
			"body-removed | clients | x | the 400 response no longer has a body",
		},
	},
	{
		name: "inline fields are told at the operation, with the way they go",
		old: doc("3.0.3", post("requestBody: {content: {application/json: {schema: {type: object, properties: {a: {type: object, properties: {b: {type: string}}}}}}}}, "+
			"responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {c: {type: array, items: {type: string}}}}}}}}"), ""),
		new: doc("3.0.3", post("requestBody: {content: {application/json: {schema: {type: object, properties: {a: {type: object, required: [b], properties: {b: {type: string}}}}}}}}, "+
			"responses: {'200': {description: ok, content: {application/json: {schema: {type: object, required: [c], properties: {c: {type: array, items: {type: string, nullable: true}}}}}}}}"), ""),
		want: []string{
			"field-required | clients | x | a.b in the request body is required now",
			"field-required | servers | x | c in the 200 response is required now",
			"field-nullable | clients | x | c[] in the 200 response can be null now",
		},
	},
	{
		name: "response headers, by their name on the wire",
		old: doc("3.1.0", post("responses: {'200': {description: ok, headers: {Old: {schema: {type: string}}, ETAG: {schema: {type: string}}}}}"),
			"parameters: {tag: {name: ETag, in: header, schema: {type: string}}}"),
		new: doc("3.1.0", post("responses: {'200': {description: ok, headers: {New: {schema: {type: string}}, e: {$ref: '#/components/parameters/tag'}}}}"),
			"parameters: {tag: {name: ETag, in: header, required: true, schema: {type: integer}}}"),
		want: []string{
			"field-removed | clients | x | header Old of the 200 response is gone",
			"field-added | nobody | x | header New of the 200 response is new",
			"field-required | servers | x | header ETag of the 200 response is required now",
			"type-changed | clients servers | x | header ETag of the 200 response is integer now, string before",
		},
	},
	{
		name: "a parameter under a media type",
		old:  doc("3.0.3", post("parameters: [{name: a, in: query, content: {application/json: {schema: {type: object}}}}], "+ok), ""),
		new:  doc("3.0.3", post("parameters: [{name: a, in: query, content: {application/json: {schema: {type: object, required: [b]}}}}], "+ok), ""),
		want: []string{"field-required | clients | x | b in query parameter a is required now"},
	},
	{
		name: "a shared response, once for all that use it",
		old: doc("3.0.3", "/x: {get: {operationId: x, responses: {'200': {$ref: '#/components/responses/R'}}}, put: {operationId: y, responses: {'200': {$ref: '#/components/responses/R'}}}}",
			"responses: {R: {description: ok, content: {application/json: {schema: {type: object, required: [a]}}}}}"),
		new: doc("3.0.3", "/x: {get: {operationId: x, responses: {'200': {$ref: '#/components/responses/R'}}}, put: {operationId: y, responses: {'200': {$ref: '#/components/responses/R'}}}}",
			"responses: {R: {description: ok, content: {application/json: {schema: {type: object}}}}}"),
		want: []string{"field-optional | clients | R in x y | a in response R is optional now"},
	},
}
