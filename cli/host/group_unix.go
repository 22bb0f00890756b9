//go:build unix

package host

import (
	"os/exec"
	"syscall"
)

// inGroup runs a program in a process group, which is killed when the context ends. After the exit, end kills child
// processes.
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
