// Package oapi is the one door to oapi-codegen, which renders the models and the
// strict server.
//
// As a library it keeps what it works with in package-level variables: its
// options, the functions its templates may call, and the way it forms Go names.
// Generate therefore runs alone, and TypeName, which repairs and templates ask
// for names, never while it runs. Whatever calls this package may do so from
// several goroutines; nothing else in the generator imports oapi-codegen's
// functions, only its configuration's types.
package oapi
