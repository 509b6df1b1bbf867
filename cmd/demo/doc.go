// Command demo shows in a few seconds what onceberg is for. It generates code
// from the specification in spec/, builds and starts cmd/server with idempotency
// on, and then plays the story that the project exists for: a client creates a
// namespace, the server does it, and the answer gets lost on its way back.
//
// Every step is checked. The exit code is 0 when all went as it should and 1,
// with the reason, when anything did not. It must be run within the repository;
// it leaves nothing behind.
package main
