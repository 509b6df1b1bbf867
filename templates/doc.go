// Package templates holds the texts that the generator renders.
//
// The files at the top are onceberg's own: one for each file of generated code
// that oapi-codegen knows nothing of, rendered from the plan. Those under oapi/
// replace templates of oapi-codegen and are rendered by it, from its own
// description of an operation: types of requests and responses, the interface to
// implement, and the handlers in between. The generated handlers are thin; what
// they do stands in package runtime, where it is tested.
//
// A template reads like the code it makes. Questions it asks are methods, of the
// plan or of oapi-codegen's types.
package templates
