//go:build unix

package host

import (
	"os/exec"
	"syscall"
)

// inGroup has a program run in a process group of its own, which ends as a whole when its context does. end is to be
// called when it has ended: what it left behind ends then, too.
func inGroup(cmd *exec.Cmd) (end func()) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	end = func() {
		if cmd.Process != nil {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		}
	}
	cmd.Cancel = func() error {
		end()
		return cmd.Process.Kill()
	}
	return end
}
