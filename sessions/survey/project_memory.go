package survey

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/sessions"
)

// memory reads the project's memory again, because the rows may be old. Old rows of an unreadable part stay, and
// p.Checked is their time.
func (l *Look) memory(ctx context.Context, p *Project) {
	if l.Memory == nil {
		p.Unread = l.problems(p.Dir, nil)
		return
	}
	dirs := []string{p.Dir}
	for _, r := range RowsOf(l.Rows, p.Dir) {
		if sessions.IsPlainPath(r.Workdir) && !slices.Contains(dirs, r.Workdir) {
			dirs = append(dirs, r.Workdir)
		}
	}
	m := l.Memory(ctx, p.Dir, dirs)
	if ctx.Err() != nil {
		return
	}
	found := map[string]bool{}
	for i := range m.Rows {
		found[m.Rows[i].Path] = true
	}
	l.Rows = append(slices.DeleteFunc(l.Rows, func(r sessions.Row) bool {
		switch {
		case r.Kind == sessions.KindSession || !slices.Contains(dirs, r.Workdir):
			return false
		case slices.Contains(m.Blind, r.Workdir):
			return found[r.Path]
		case r.Kind == sessions.KindDocument && slices.Contains(m.Undocumented, r.Workdir):
			return found[r.Path]
		}
		return true
	}), m.Rows...)
	p.Unread = l.problems(p.Dir, dirs)
	for _, err := range m.Problems {
		l.unread(p, err)
	}
	if len(m.Blind) > 0 {
		p.NotKnown = append(p.NotKnown, "pending backups")
	}
	if len(m.Blind)+len(m.Undocumented) > 0 && !l.Listed.IsZero() {
		p.Checked = l.Listed
	}
}

// isOfMemory reports whether a problem is about the memory of one of the directories.
func isOfMemory(text string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool {
		return strings.Contains(text, filepath.Join(dir, ".claude", "memory")) ||
			strings.Contains(text, filepath.Join(dir, "planning", "sessions")) ||
			strings.Contains(text, "emory of "+dir+":") || strings.Contains(text, "ocuments of "+dir+":")
	})
}
