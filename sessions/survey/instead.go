package survey

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions"
)

const (
	insteadDocuments = 2       // number of newest documents whose text is read
	insteadLimit     = 1 << 20 // limit in bytes for the text of a document
)

// insteadOfNotes takes the rows of a project. It returns the sources that can replace a missing NOTES.md, best first,
// and the last prompt.
func (l *Look) insteadOfNotes(ctx context.Context, mine []*sessions.Row) (list []recovery.Source, prompt string) {
	documents := 0
	var kept *sessions.Row
	for _, r := range mine {
		switch {
		case r.Kind == sessions.KindBackup:
			if kept == nil || r.Pending && !kept.Pending {
				kept = r
			}
		case r.Kind != sessions.KindDocument:
		case filepath.Base(r.Path) == "active-context.md":
			list = append([]recovery.Source{documentSource(ctx, r)}, list...)
		case r.IsSessionDocument():
			if documents++; documents <= insteadDocuments {
				list = append(list, documentSource(ctx, r))
			}
		}
	}
	prompt, reply, last := l.lastTalk(ctx, mine)
	if last != nil {
		s := recovery.Source{Kind: "session", Name: last.Title(), Path: last.Path, When: last.Last}
		for _, part := range [][2]string{{"Asked last: ", prompt}, {"Answered: ", reply}} {
			if part[1] != "" {
				s.Text += part[0] + part[1] + "\n\n"
			}
		}
		list = append(list, s)
	}
	if kept != nil {
		list = append(list, recovery.Source{Kind: "backup", Name: filepath.Base(kept.Path), Path: kept.Path, When: kept.When()})
	}
	return list, prompt
}

// documentSource returns a document as a source. Its text starts with the next steps.
func documentSource(ctx context.Context, r *sessions.Row) recovery.Source {
	s := recovery.Source{Kind: "document", Name: filepath.Base(r.Path), Path: r.Path, When: r.When()}
	type answer struct {
		text []byte
		err  error
	}
	a, ok := sessions.InTime(ctx, time.Second, func(context.Context) answer {
		text, err := sessions.ReadSmall(r.Path, insteadLimit)
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

// withoutFrontMatter returns the text of a document without its YAML front matter.
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
