//go:build !darwin && !linux

package emit

// lock does nothing where folders cannot be locked.
func lock(string) (unlock func()) { return func() {} }
