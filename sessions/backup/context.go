package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/sessions/document"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	contextName = "active-context.md"
	// maxContext is the limit of active-context.md in bytes. Claude reads this file at every start, so real ones are
	// small.
	maxContext = 1 << 20
	// contextTries is the number of attempts to edit a file that another program changes.
	contextTries = 5
)

// noteContext writes the note of a hook to an existing active-context.md. The lock is taken after the new text is on
// disk. If several hooks of one kind run at once, the last one writes its note.
func (v *saving) noteContext(ctx context.Context) error {
	n := document.BackupNote{Backup: transcript.CleanLine(v.saved.Path)}
	stamp := v.r.At.UTC().Format(document.Stamp)
	switch v.r.By {
	case ByEnd:
		n.Heading, n.Lead, n.Text = "Session Exit", "- Last exit:", stamp+" (reason: "+v.r.Reason+")"
	case ByCompact:
		n.Heading, n.Lead, n.Text = "Compaction", "- Last compaction:", stamp+" (trigger: "+v.r.Reason+")"
	default:
		return nil
	}
	for range contextTries {
		if !v.isLast() {
			return nil
		}
		e, err := v.m.draftContext(n.Write)
		if e == nil || err != nil {
			return err
		}
		if done, err := v.adoptLocked(ctx, e); done || err != nil {
			return err
		}
	}
	// Other hooks were always faster, so take the lock first.
	unlock, err := v.m.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if !v.isLast() {
		return nil
	}
	return v.m.editContext(n.Write)
}

// adoptLocked calls adoptContext with the lock. If a later hook of the same kind has written its marker, adoptLocked
// drops the edit and returns true.
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
	errBusy    = errors.New("another program keeps writing to it")
	errNotText = errors.New("not a text file")
)

// contextEdit is an edit of active-context.md whose new text is in a temporary file.
type contextEdit struct {
	before []byte // text before the edit
	temp   *disk.Temp
}

// draftContext writes the edited active-context.md to a temporary file. Without a file or a change, it returns nil.
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

// adoptContext replaces active-context.md by the edited text. If the file has changed since, adoptContext drops the
// edit and returns false.
func (m *Memory) adoptContext(e *contextEdit) (bool, error) {
	if now, _, err := m.read(contextName, maxContext); err == nil && bytes.Equal(now, e.before) {
		return true, m.adopt(e.temp, contextName)
	}
	e.temp.Drop()
	return false, nil
}

// editContext edits active-context.md. Claude Code and the user don't take the lock, so editContext tries again after
// their changes.
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
