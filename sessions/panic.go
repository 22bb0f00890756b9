package sessions

import (
	"fmt"
	"runtime/debug"
)

// PanicError is a panic that was caught in a goroutine. The caller panics with it or returns it, so that the crash
// report has the original stack.
type PanicError struct {
	Value any    // argument of panic
	Stack []byte // stack of the goroutine, from debug.Stack
}

// Error returns the panic value without the stack.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Catch calls f and returns nil, or the panic of f. It doesn't change a *PanicError, whose stack shows the bug.
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
