//go:build !unix

package host

import "os/exec"

// inGroup does nothing: this system has no process groups.
func inGroup(*exec.Cmd) (end func()) { return func() {} }
