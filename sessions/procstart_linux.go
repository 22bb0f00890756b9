package sessions

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// pidDomain returns the client's format, "linux:<machine id>:<pid namespace>". Unreadable values are empty.
func pidDomain() string {
	id, err := os.ReadFile("/etc/machine-id")
	if err != nil {
		id = nil
	}
	namespace, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		namespace = ""
	}
	return "linux:" + strings.TrimSpace(string(id)) + ":" + namespace
}

// processStart returns the start of a process in clock ticks since boot: field 22 of /proc/<pid>/stat, proc(5).
// Without the file, it uses signal 0.
func processStart(_ context.Context, pid int) (start string, alive, known bool) {
	if stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil {
		if start, running, ok := parseStat(stat); ok {
			return start, running, true
		}
	}
	alive, known = signalable(pid)
	return "", alive, known
}

// parseStat parses the state and the start from a stat line. Command names may contain parentheses, so fields count
// from the last one. For a zombie, running is false: it has exited, but its parent hasn't noticed.
func parseStat(stat []byte) (start string, running, ok bool) {
	const state, started = 0, 19 // fields 3 and 22 of proc(5), counted after the command name
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= started || !isDigits(string(fields[started])) {
		return "", false, false
	}
	running = !strings.Contains("ZXx", string(fields[state]))
	return string(fields[started]), running, true
}

// signalable sends signal 0 to a pid to see whether the process exists.
func signalable(pid int) (alive, known bool) {
	if pid <= 0 {
		return false, true // kill would signal a process group instead
	}
	err := syscall.Kill(pid, 0)
	switch {
	case err == nil, errors.Is(err, syscall.EPERM):
		return true, true
	case errors.Is(err, syscall.ESRCH):
		return false, true
	}
	return false, false
}
