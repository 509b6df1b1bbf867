package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// interrupted says that a signal came while signals had to wait.
type interrupted struct{ os.Signal }

func (i interrupted) Error() string { return fmt.Sprintf("ended by the signal %q", i.String()) }

// code is the exit code by which shells tell of a signal.
func (i interrupted) code() int {
	number, _ := i.Signal.(syscall.Signal)
	return exitSignal + int(number)
}

// withoutSignals lets work be done as a whole: a signal that would end the process
// is an error afterwards. One that the process was started to ignore it ignores.
func withoutSignals(work func() error) error {
	came := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(came, s)
		}
	}
	err := work()
	signal.Stop(came)
	select {
	case s := <-came:
		return errors.Join(interrupted{s}, err)
	default:
		return err
	}
}
