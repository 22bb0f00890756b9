package cli

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
)

const (
	insteadDocuments = 2       // of which the text is read, the newest
	insteadLimit     = 1 << 20 // bytes of one
)

// projectRows looks at the sessions of a project, without their figures. A folder that is none has none. It opens only
// transcripts in directories that are named after the project or its worktrees.
func (d *deps) projectRows(ctx context.Context, g *globals, root string) (*projectLook, []*sessions.Row) {
	opts, err := d.catalogOptions(g)
	if err != nil {
		return nil, nil
	}
	trees, _ := sessions.InTime(ctx, time.Second, func(context.Context) []string { return sessions.Worktrees(sessions.Disk(), root) })
	opts.Cwd, opts.Also, opts.Named = root, nil, sessions.Named(append(trees, root)...)
	l := &projectLook{d: d, src: d.open(opts), dirs: opts.Dirs, now: d.now()}
	l.rows, l.problem = l.src.List(ctx, true)
	return l, l.of(root)
}

// lastPrompt is what was asked last in a project; "" is not known. It reads the end of one transcript.
func (d *deps) lastPrompt(ctx context.Context, g *globals, root string) string {
	l, mine := d.projectRows(ctx, g, root)
	prompt, _, _ := l.lastTalk(ctx, mine)
	return prompt
}

// lastTalk is the end of the newest session of some rows.
func (l *projectLook) lastTalk(ctx context.Context, mine []*sessions.Row) (prompt, said string, of *sessions.Row) {
	type answer struct{ prompt, said string }
	for _, r := range mine {
		if r.Kind != sessions.KindSession || r.Quiet() {
			continue
		}
		a, _ := sessions.InTime(ctx, pageTalk, func(ctx context.Context) answer {
			prompt, said, _ := l.lastOf(ctx, *r) // what cannot be read says nothing
			return answer{prompt, said}
		})
		return a.prompt, a.said, r
	}
	return "", "", nil
}

// insteadOfNotes finds what else there is of a project, the best first, and what was asked last in it.
func (d *deps) insteadOfNotes(ctx context.Context, g *globals, l *survey.Ledger) (list []recovery.Source, prompt string) {
	look, mine := d.projectRows(ctx, g, l.Project.Root)
	if look == nil {
		return nil, ""
	}
	documents := 0
	var backup *sessions.Row
	for _, r := range mine {
		switch {
		case r.Kind == sessions.KindBackup:
			if backup == nil || r.Pending && !backup.Pending {
				backup = r
			}
		case r.Kind != sessions.KindDocument:
		case filepath.Base(r.Path) == "active-context.md":
			list = append([]recovery.Source{d.documentSource(ctx, r)}, list...)
		case r.Archived():
			if documents++; documents <= insteadDocuments {
				list = append(list, d.documentSource(ctx, r))
			}
		}
	}
	prompt, said, last := look.lastTalk(ctx, mine)
	if last != nil {
		s := recovery.Source{Kind: "session", Name: render.Title(last), Path: last.Path, When: last.Last}
		for _, part := range [][2]string{{"Asked last: ", prompt}, {"Answered: ", said}} {
			if part[1] != "" {
				s.Text += part[0] + part[1] + "\n\n"
			}
		}
		list = append(list, s)
	}
	if backup != nil {
		list = append(list, recovery.Source{Kind: "backup", Name: filepath.Base(backup.Path), Path: backup.Path, When: backup.When()})
	}
	return list, prompt
}

// documentSource is a document with its text: its next steps first, then what it says.
func (d *deps) documentSource(ctx context.Context, r *sessions.Row) recovery.Source {
	s := recovery.Source{Kind: "document", Name: filepath.Base(r.Path), Path: r.Path, When: r.When()}
	type answer struct {
		text []byte
		err  error
	}
	a, ok := sessions.InTime(ctx, time.Second, func(context.Context) answer {
		text, err := readSmall(r.Path, insteadLimit)
		return answer{text, err}
	})
	if !ok || a.err != nil {
		return s
	}
	var b strings.Builder
	for _, step := range r.Next {
		b.WriteString("Next: " + step + "\n\n")
	}
	s.Text = b.String() + withoutFrontMatter(string(a.text))
	return s
}

// withoutFrontMatter is a document without the YAML that it begins with.
func withoutFrontMatter(text string) string {
	rest, ok := strings.CutPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "---\n")
	if !ok {
		return text
	}
	if _, body, ok := strings.Cut(rest, "\n---\n"); ok {
		return body
	}
	return text
}
