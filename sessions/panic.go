package sessions

import (
	"fmt"
	"runtime/debug"
)

// PanicError is a panic that was caught in a goroutine. The caller that waits for the goroutine panics with the
// PanicError, or returns it as an error, so that the panic reaches the crash report.
type PanicError struct {
	Value any    // argument of panic
	Stack []byte // stack of the goroutine that panicked, as returned by debug.Stack
}

// Error implements error. Its result doesn't contain the stack.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Catch calls f. If f panics, Catch returns the panic, otherwise nil. If f panics with a *PanicError, Catch returns
// that *PanicError unchanged, because its stack shows the bug.
func Catch(f func()) (caught *PanicError) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		if p, ok := v.(*PanicError); ok {
			caught = p
			return
		}
		caught = &PanicError{Value: v, Stack: debug.Stack()}
	}()
	f()
	return nil
}
