package main

import "time"

// now is the clock of those parts of a server that take one. Nothing sets it but
// the build that tests/chaos makes, with the tag chaos.
var now = time.Now
