package sessions

import (
	"context"
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// pidDomain returns "darwin", which the client records on macOS.
func pidDomain() string { return "darwin" }

// processStart returns the start of a process from ps, in the C locale and in UTC, as Claude Code records it. Signal
// 0 shows whether the process exists. It is more reliable than ps.
func processStart(ctx context.Context, pid int) (start string, alive, known bool) {
	if pid <= 0 {
		return "", false, true // kill would signal a process group instead
	}
	err := syscall.Kill(pid, 0)
	switch {
	case errors.Is(err, syscall.ESRCH):
		return "", false, true
	case err != nil && !errors.Is(err, syscall.EPERM):
		return "", false, false
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	ps := exec.CommandContext(ctx, "/bin/ps", "-o", "lstart=", "-p", strconv.Itoa(pid))
	ps.Env = []string{"LC_ALL=C", "TZ=UTC"}
	ps.WaitDelay = 100 * time.Millisecond
	out, err := ps.Output()
	if err != nil {
		return "", true, true
	}
	return strings.TrimSpace(string(out)), true, true
}
