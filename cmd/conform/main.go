package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// Of two at once none may get lost.
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM)
	os.Exit(Do(context.Background(), interrupts, os.Args[1:], os.Stdout, os.Stderr))
}
