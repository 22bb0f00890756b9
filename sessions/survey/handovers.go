package survey

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/snapshot"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/document"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	handoverLimit     = time.Second // time limit for all documents together
	handoverDocuments = 5           // number of newest session documents that are read, besides active-context.md
	handoverBytes     = 1 << 20     // size limit of a document
)

// HandoversOf returns the handovers in the stores of a project, newest first: NOTES.md, beads that are open or named
// by another store, the snapshot, active-context.md, the newest session documents, and the last checkpoint of the
// open task. The trajectory only repeats these. Handovers of the same time are in the order of the truth hierarchy
// (spec 002). troubles has a sentence for each unreadable document. l has the problems with NOTES.md and beads.
func HandoversOf(ctx context.Context, l *Ledger, home string) (held []handover.Held, troubles []string) {
	notes, documents := notesHandover(l), []handover.Held(nil)
	documents, troubles = documentHandovers(ctx, MemoryOf(ctx, l.Project.Root, home), l.At)
	saved, trouble := snapshotHandover(ctx, l)
	if trouble != "" {
		troubles = append(troubles, trouble)
	}
	others := slices.Concat(notes, saved, documents, taskHandover(ctx, l.Project.Root))
	held = slices.Concat(beadHandovers(l.Beads, others), others)
	slices.SortStableFunc(held, func(a, b handover.Held) int { return b.At.Compare(a.At) })
	return held, troubles
}

// notesHandover returns the handover in NOTES.md.
func notesHandover(l *Ledger) []handover.Held {
	if l.Notes == nil {
		return nil
	}
	h := l.Notes.Handover()
	at := sessions.Plausible(h.When, l.At)
	if at.IsZero() {
		at = sessions.Plausible(l.Written, l.At)
	}
	return []handover.Held{{Handover: h, Mark: handover.MarkNotes, Name: l.Project.NotesName(), At: at}}
}

// taskHandover returns the last checkpoint of the newest open task, if the disk responds.
func taskHandover(ctx context.Context, root string) []handover.Held {
	t, _ := sessions.InTime(ctx, pageLimit, func(ctx context.Context) *task.Task {
		all, err := TasksOf(ctx, Place{Dir: root, Ledger: ledger.Env{ProjectRoot: root}})
		if i := slices.IndexFunc(all.All, (*task.Task).Open); err == nil && i >= 0 {
			return all.All[i]
		}
		return nil
	})
	if t == nil || t.Last() == nil {
		return nil
	}
	c := t.Last()
	h := c.Handover()
	h.Gate.Name = string(t.Gate())
	return []handover.Held{{Handover: h, Mark: handover.MarkTask, Name: t.Slug, At: c.At}}
}

// beadHandovers returns the handovers in open beads, and in closed ones that other handovers name.
func beadHandovers(g *beads.Graph, others []handover.Held) []handover.Held {
	if g == nil {
		return nil
	}
	var held []handover.Held
	seen := map[string]bool{"": true}
	add := func(b *beads.Bead) {
		h := b.Handover()
		at := b.Updated
		if h.When.After(at) {
			at = h.When
		}
		held, seen[b.ID] = append(held, handover.Held{Handover: h, Mark: handover.MarkBead, Name: b.ID, At: at}), true
	}
	for i := range g.Beads {
		add(&g.Beads[i])
	}
	for i := range others {
		for _, item := range others[i].Items {
			if b, ok := g.Find(item.ID); ok && !seen[item.ID] {
				add(b)
			}
		}
	}
	return held
}

// snapshotHandover returns the handover in session-protocol.json.
func snapshotHandover(ctx context.Context, l *Ledger) (held []handover.Held, trouble string) {
	type answer struct {
		snapshot *snapshot.Snapshot
		err      error
	}
	a, ok := sessions.InTime(ctx, handoverLimit, func(ctx context.Context) answer {
		s, err := snapshot.Read(ctx, l.Project.Root)
		return answer{s, err}
	})
	switch {
	case ctx.Err() != nil, errors.Is(a.err, fs.ErrNotExist):
		return nil, ""
	case !ok:
		return nil, snapshot.Name + " could not be read in time."
	case a.err != nil:
		return nil, snapshot.Name + ": " + words.Sentence(ledger.Reason(a.err))
	}
	h := a.snapshot.Handover()
	return []handover.Held{{Handover: h, Mark: handover.MarkSnapshot, Name: snapshot.Name, At: sessions.Plausible(h.When, l.At)}}, ""
}

// documentHandovers returns the handovers in active-context.md and the newest session documents.
func documentHandovers(ctx context.Context, project string, now time.Time) (held []handover.Held, troubles []string) {
	if project == "" {
		return nil, nil
	}
	type answer struct {
		held     []handover.Held
		troubles []string
	}
	a, ok := sessions.InTime(ctx, handoverLimit, func(ctx context.Context) answer {
		var a answer
		left := handoverDocuments
		for _, d := range DocumentsOf(ctx, project, now) {
			switch d.Kind {
			case document.KindProjectMemory:
				continue
			case document.KindSession:
				if left--; left < 0 {
					continue
				}
			case document.KindActiveContext:
			}
			if h, err := documentHandover(&d, now.Location()); err != nil {
				a.troubles = append(a.troubles, words.Sentence("the document "+transcript.CleanLine(filepath.Base(d.Path))+" could not be read: "+ledger.Reason(err)))
			} else {
				a.held = append(a.held, h)
			}
		}
		return a
	})
	if !ok && ctx.Err() == nil {
		return nil, []string{"The documents could not be read in time."}
	}
	return a.held, a.troubles
}

// errLongDocument is returned for a document that has more than handoverBytes.
var errLongDocument = errors.New("longer than 1 MB")

func documentHandover(d *document.Document, zone *time.Location) (handover.Held, error) {
	if d.Bytes > handoverBytes {
		return handover.Held{}, errLongDocument
	}
	text, err := sessions.ReadSmall(d.Path, handoverBytes)
	if err != nil {
		return handover.Held{}, err
	}
	g, err := document.ReadWhole(bytes.NewReader(text), d.Kind)
	if err != nil {
		return handover.Held{}, err
	}
	return handover.Held{Handover: g.Handover(zone), Mark: handover.MarkDocument, Name: filepath.Base(d.Path), At: d.Date, Text: withoutFrontMatter(string(text))}, nil
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
