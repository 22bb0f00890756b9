package hook

import (
	"strings"

	"github.com/continuo-tui/continuo/transcript"
)

const (
	diffContext = 3
	// diffCells bounds the comparison of what lies between the first and the last changed line: 2,000 lines with 2,000
	// others take 10 ms and 16 MB. Over that they count as replaced.
	diffCells = 4_000_000
)

// Diff compares the lines of two texts. Lines keep what they end with, but for the line feed.
func Diff(before, after []byte) []transcript.Hunk {
	a, b := splitLines(before), splitLines(after)
	start := 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	if start == len(a) && start == len(b) {
		return nil
	}
	script := make([]string, 0, len(a)+len(b))
	for _, l := range a[:start] {
		script = append(script, " "+l)
	}
	script = append(script, edits(a[start:len(a)-end], b[start:len(b)-end])...)
	for _, l := range a[len(a)-end:] {
		script = append(script, " "+l)
	}
	return hunks(script)
}

// Counts are the lines that a diff adds and removes.
func Counts(diff []transcript.Hunk) (added, removed int) {
	for i := range diff {
		for _, l := range diff[i].Lines {
			switch l[0] {
			case '+':
				added++
			case '-':
				removed++
			}
		}
	}
	return added, removed
}

// splitLines takes a text apart. One whose last line does not end is told from one whose does.
func splitLines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	lines := strings.Split(string(text), "\n")
	if n := len(lines) - 1; lines[n] == "" {
		return lines[:n]
	}
	lines[len(lines)-1] += noLineEnd
	return lines
}

// noLineEnd is what diff says behind a last line that does not end.
const noLineEnd = "\n\\ No newline at end of file"

// edits are the lines that turn a into b, by the longest common subsequence.
func edits(a, b []string) []string {
	var script []string
	if len(a)*len(b) > diffCells {
		for _, l := range a {
			script = append(script, "-"+l)
		}
		for _, l := range b {
			script = append(script, "+"+l)
		}
		return script
	}
	width := len(b) + 1
	common := make([]int32, (len(a)+1)*width) // of what is behind i and j
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			script = append(script, " "+a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[(i+1)*width+j] >= common[i*width+j+1]:
			script = append(script, "-"+a[i])
			i++
		default:
			script = append(script, "+"+b[j])
			j++
		}
	}
	return script
}

// hunks groups the changed lines with some around them.
func hunks(script []string) []transcript.Hunk {
	near := make([]bool, len(script))
	for i, l := range script {
		if l[0] != ' ' {
			for at := max(i-diffContext, 0); at < min(i+diffContext+1, len(script)); at++ {
				near[at] = true
			}
		}
	}
	var list []transcript.Hunk
	old, with := 0, 0 // lines so far
	for i, l := range script {
		if near[i] && (i == 0 || !near[i-1]) {
			list = append(list, transcript.Hunk{OldStart: old + 1, NewStart: with + 1})
		}
		was, is := 1, 1
		switch l[0] {
		case '+':
			was = 0
		case '-':
			is = 0
		}
		old, with = old+was, with+is
		if near[i] {
			h := &list[len(list)-1]
			h.Lines = append(h.Lines, l)
			h.OldLines, h.NewLines = h.OldLines+was, h.NewLines+is
		}
	}
	for i := range list { // of no lines it is the one before
		if h := &list[i]; h.OldLines == 0 {
			h.OldStart--
		} else if h.NewLines == 0 {
			h.NewStart--
		}
	}
	return list
}
