// Command demo shows in a few seconds what onceberg is for. It generates code
// from the specification in spec/, builds and starts cmd/server as it comes, with
// idempotency on, and then lets iceberg-go append rows to a table while the answer
// to its commit gets lost: once with package client as its transport, and once
// without keys.
//
// Every step is checked. The exit code is 0 when all went as it should and 1,
// with the reason, when anything did not. It must be run within the repository;
// it leaves nothing behind.
package main
