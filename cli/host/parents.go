package host

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"time"
)

// maxParents limits the number of ancestors, in case of a cycle.
const maxParents = 64

// Parents returns a function that iterates over a process and its ancestors, except the init process.
func Parents(ctx context.Context) func(pid int) iter.Seq[int] {
	parent := parentOf(ctx)
	return func(pid int) iter.Seq[int] { return upFrom(pid, parent) }
}

func upFrom(pid int, parent func(int) int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for range maxParents {
			if pid <= 1 || !yield(pid) {
				return
			}
			pid = parent(pid)
		}
	}
}

// parentOf returns a function from a process to its parent; 0 if the process has exited.
func parentOf(ctx context.Context) func(pid int) int {
	if runtime.GOOS == "linux" {
		return func(pid int) int {
			stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
			if err != nil {
				return 0
			}
			return parseParent(stat)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, tmuxStateLimit)
	defer cancel()
	ps := exec.CommandContext(ctx, "ps", "-A", "-o", "pid=", "-o", "ppid=")
	ps.WaitDelay = 100 * time.Millisecond
	out, err := ps.Output()
	if err != nil {
		out = nil
	}
	table := parseParents(out)
	return func(pid int) int { return table[pid] }
}

// parseParent finds the parent's PID in /proc/<pid>/stat: field 4 (proc(5)). Field 2 may contain blanks and ")", so
// the last ")" counts.
func parseParent(stat []byte) int {
	const parent = 1 // the text after ")" starts with field 3
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= parent {
		return 0
	}
	pid, err := strconv.Atoi(string(fields[parent]))
	if err != nil {
		return 0
	}
	return pid
}

// parseParents parses lines of ps: a PID and the PID of the parent.
func parseParents(lines []byte) map[int]int {
	table := map[int]int{}
	for line := range bytes.Lines(lines) {
		var pid, parent int
		if n, _ := fmt.Sscan(string(line), &pid, &parent); n == 2 {
			table[pid] = parent
		}
	}
	return table
}
