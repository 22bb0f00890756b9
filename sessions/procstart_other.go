//go:build !linux && !darwin

package sessions

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"syscall"
)

// pidDomain returns Claude Code's domain on this system: "win32:<host name in lower case>" on Windows, otherwise the
// system's name.
func pidDomain() string {
	if runtime.GOOS != "windows" {
		return runtime.GOOS
	}
	host, err := os.Hostname()
	if err != nil {
		host = ""
	}
	return "win32:" + strings.ToLower(host)
}

// processStart reports whether the process exists. start is always "" on this system.
func processStart(_ context.Context, pid int) (start string, alive, known bool) {
	// noSuchProcess is ERROR_INVALID_PARAMETER, the result of OpenProcess for an unused pid.
	const noSuchProcess = syscall.Errno(87)
	p, err := os.FindProcess(pid)
	switch {
	case errors.Is(err, os.ErrPermission):
		return "", true, true
	case err != nil:
		gone := runtime.GOOS == "windows" && errors.Is(err, noSuchProcess)
		return "", false, gone
	case runtime.GOOS == "windows":
		return "", true, p.Release() == nil
	}
	switch err := p.Signal(syscall.Signal(0)); {
	case err == nil, errors.Is(err, os.ErrPermission):
		return "", true, true
	case errors.Is(err, os.ErrProcessDone):
		return "", false, true
	}
	return "", false, false
}
