// Package clientsafety holds the proof that package client makes somebody else's
// Go client safe: iceberg-go, by its option for the transport, against a server of
// generated handlers behind a proxy that loses answers, or gives its own. It is apart from package
// client, whose tests then need not compile iceberg-go.
package clientsafety
