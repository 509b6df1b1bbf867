// Package golden proves the generator on whole documents.
//
// The tests generate into a temporary Go module that replaces onceberg by this
// checkout, and compile what came out: code that only looks right proves
// nothing.
//
//   - Upstream: the three Iceberg documents compile, pass vet, and give the
//     counts of operations that are known of them.
//   - Lossless: instances drawn from a document's schemas, as they were read,
//     survive decoding and encoding in the compiled code.
//   - Cases: each folder below cases is one small document with what must come
//     out of it, a plan and its repairs or one error. Adding a folder adds a
//     test; -update writes what it gives.
//   - HTTP: a server made of the generated handlers answers raw requests.
package golden
