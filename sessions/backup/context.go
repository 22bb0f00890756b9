package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/internal/mark"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	contextName = "active-context.md"
	// maxContext is far above one that a model reads at every start.
	maxContext = 1 << 20
	// contextTries is how often a file that somebody else writes at the same time is read anew.
	contextTries = 5

	backupLead = "- Transcript backup:"
)

// contextNote is what a backup leaves in active-context.md (spec 000): two lines in a section of its own.
type contextNote struct {
	heading string // of the section, which is an H2
	lead    string // how the first of the lines begins
	text    string // how it goes on
	backup  string // path
}

// noteContext writes the note of a hook, if active-context.md exists. It writes the new text to a temporary file before
// it takes the lock, so nobody waits for a slow disk. Of many hooks at once, only the last one of each kind has to write.
func (v *saving) noteContext(ctx context.Context) error {
	n := contextNote{backup: transcript.CleanLine(v.saved.Path)}
	stamp := v.r.At.UTC().Format(contentStamp)
	switch v.r.By {
	case ByEnd:
		n.heading, n.lead, n.text = "Session Exit", "- Last exit:", stamp+" (reason: "+v.r.Reason+")"
	case ByCompact:
		n.heading, n.lead, n.text = "Compaction", "- Last compaction:", stamp+" (trigger: "+v.r.Reason+")"
	default:
		return nil
	}
	for range contextTries {
		if !v.isLast() {
			return nil
		}
		e, err := v.m.draftContext(n.write)
		if e == nil || err != nil {
			return err
		}
		if done, err := v.adoptLocked(ctx, e); done || err != nil {
			return err
		}
	}
	// Other hooks were faster each time. They wait while this one writes.
	unlock, err := v.m.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if !v.isLast() {
		return nil
	}
	return v.m.editContext(n.write)
}

// adoptLocked is adoptContext under the lock. It returns true and drops the edit if a later hook has its marker.
func (v *saving) adoptLocked(ctx context.Context, e *contextEdit) (bool, error) {
	unlock, err := v.m.lock(ctx)
	if err != nil {
		e.temp.Drop()
		return false, err
	}
	defer unlock()
	if !v.isLast() {
		e.temp.Drop()
		return true, nil
	}
	return v.m.adoptContext(e)
}

var (
	errBusy    = errors.New("somebody else keeps writing it")
	errNotText = errors.New("not a text")
)

// contextEdit is a new text of active-context.md, written to a temporary file.
type contextEdit struct {
	before []byte // text that was edited
	temp   *disk.Temp
}

// draftContext writes the edited text of active-context.md to a temporary file. It returns nil if the file doesn't exist
// or doesn't change.
func (m *Memory) draftContext(edit func(text []byte) []byte) (*contextEdit, error) {
	text, fi, err := m.read(contextName, maxContext)
	if isAbsent(err) {
		return nil, nil
	}
	if err == nil && bytes.IndexByte(text, 0) >= 0 {
		err = fmt.Errorf("read %s: %w", m.at(contextName), errNotText)
	}
	if err != nil {
		return nil, err
	}
	after := edit(text)
	if bytes.Equal(after, text) {
		return nil, nil
	}
	temp, err := m.draft(contextName, after, fi.Mode().Perm())
	if err != nil {
		return nil, err
	}
	return &contextEdit{before: text, temp: temp}, nil
}

// adoptContext replaces active-context.md by its edited text. If the file has changed since it was read, adoptContext
// drops the edit and returns false.
func (m *Memory) adoptContext(e *contextEdit) (bool, error) {
	if now, _, err := m.read(contextName, maxContext); err == nil && bytes.Equal(now, e.before) {
		return true, m.adopt(e.temp, contextName)
	}
	e.temp.Drop()
	return false, nil
}

// editContext changes active-context.md. The client and its user write that file too, and know of no lock.
func (m *Memory) editContext(edit func(text []byte) []byte) error {
	for range contextTries {
		e, err := m.draftContext(edit)
		if e == nil || err != nil {
			return err
		}
		if done, err := m.adoptContext(e); done || err != nil {
			return err
		}
	}
	return fmt.Errorf("write %s: %w", m.at(contextName), errBusy)
}

// write puts the note into a text: over the one of last time, else into its section, else into a section at the end.
// All other bytes stay.
func (n contextNote) write(text []byte) []byte {
	lines := slices.Collect(bytes.Lines(text))
	end := []byte("\n")
	if len(lines) > 0 && bytes.HasSuffix(bytes.TrimSuffix(lines[0], end), []byte("\r")) {
		end = []byte("\r\n")
	}
	torn := len(text) > 0 && text[len(text)-1] != '\n'
	if torn {
		lines[len(lines)-1] = slices.Concat(lines[len(lines)-1], end)
	}
	note := [][]byte{[]byte(n.lead + " " + n.text), end, []byte(backupLead + " " + n.backup), end}
	from, to := n.section(lines)
	if from < 0 {
		if len(lines) > 0 && !isBlank(lines[len(lines)-1]) {
			lines = append(lines, end)
		}
		return bytes.Join(slices.Concat(lines, [][]byte{[]byte("## " + n.heading), end, end}, note), nil)
	}
	section := lines[from:to]
	at := slices.IndexFunc(section, n.isOurs)
	rest := lines[to:]
	if at >= 0 {
		rest = slices.Concat(slices.DeleteFunc(slices.Clone(section[at:]), n.isOurs), rest)
	} else {
		at = slices.IndexFunc(section, func(line []byte) bool { return !isBlank(line) })
		if at < 0 {
			at = min(1, len(section))
		}
		rest = slices.Concat(section[at:], rest)
		if len(rest) > 0 && !isBlank(rest[0]) {
			note = append(note, end)
		}
	}
	after := bytes.Join(slices.Concat(lines[:from+at], note, rest), nil)
	if last := len(lines) - 1; torn && (to <= last || !n.isOurs(lines[last]) || len(rest) == 0) {
		after = bytes.TrimSuffix(after, end)
	}
	return after
}

// isOurs reports whether a line of the section is one of an earlier note.
func (n contextNote) isOurs(line []byte) bool {
	return bytes.HasPrefix(line, []byte(n.lead)) || bytes.HasPrefix(line, []byte(backupLead))
}

func isBlank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }

// section finds the lines below the heading of the note; from is -1 where there is none.
func (n contextNote) section(lines [][]byte) (from, to int) {
	from = -1
	for i, l := range readLines(lines) {
		if l.Level != 1 && l.Level != 2 {
			continue
		}
		if from >= 0 {
			return from, i
		}
		if l.Level == 2 && strings.EqualFold(l.Title, n.heading) {
			from = i + 1
		}
	}
	return from, len(lines)
}

// readLines tells what lines are. Code and a comment that nothing closes are neither, or else a section that was added
// below would never be found again: from there on each line is what it is alone.
func readLines(lines [][]byte) []mark.Line {
	var r mark.Reader
	read, opened := make([]mark.Line, len(lines)), 0
	for i, line := range lines {
		if read[i] = r.Next(string(line)); read[i].Opens {
			opened = i
		}
	}
	for i := opened; i < len(lines) && r.Inside(); i++ {
		var alone mark.Reader
		read[i] = alone.Next(string(lines[i]))
	}
	return read
}
