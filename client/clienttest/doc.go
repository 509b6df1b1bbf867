// Package clienttest tests clients against a network that loses what it carries.
//
// A Proxy stands between a client and a real server. For each request a function
// chooses a Fault: the server has applied a mutation and the client never hears
// of it, hears half of it, or hears from something on the way instead. What a
// client makes of that is what the test is about; package client must make one
// success of it.
//
// The proxy works on TCP connections, so that a loss looks like one: the end of
// the connection, a reset, or a body shorter than its length.
package clienttest
