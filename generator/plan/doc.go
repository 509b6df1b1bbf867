// Package plan turns a repaired document into the generator's one intermediate
// form: a plain list of operations, and the shapes of what they receive.
//
// Everything after this stage, the templates, the report, the comparison of two
// documents, reads the plan and asks the document nothing more about operations.
// A question a template wants to ask is a method here, where it can be tested.
package plan
