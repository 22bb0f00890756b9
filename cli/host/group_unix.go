//go:build unix

package host

import (
	"os/exec"
	"syscall"
)

// inGroup runs a program in a separate process group. The whole group is killed when the context ends. After the
// program has exited, call end to kill child processes that are still running.
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
