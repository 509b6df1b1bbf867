// Command conform asks an Iceberg REST server, of any make, whether it keeps the
// promise of the Idempotency-Key header.
//
//	conform http://localhost:8181
//	conform --token "$TOKEN" --html report.html https://catalog.example/api
//
// It makes what it needs in namespaces of its own and removes them afterwards.
// The exit code is 0 when the server keeps the promise, 1 when it breaks what the
// specification requires or implies, and 2 when that could not be told: bad
// usage, a server out of reach, or cases that could not be judged.
package main
