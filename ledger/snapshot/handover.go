package snapshot

import (
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
)

// Titles of blocks for fields that the schema lacks, and labels in the content of a decision.
const (
	blockState    = "State of the work"
	blockResume   = "How to resume"
	blockFiles    = "Key files"
	blockQuestion = "Question: "

	labelWhy      = "Why: "
	labelEvidence = "Evidence: "
	labelInstead  = "Instead of: "
)

// Prefixes of the titles of blocks that aren't decisions.
const (
	BlockError = "Error: " // a command that failed
	BlockPlan  = "Plan: "  // an approved plan, or a reference to the file of a plan
)

// Handover converts a snapshot to a handover (spec 004). A block without one of the prefixes above is a decision.
func (s *Snapshot) Handover() *handover.Handover {
	h := &handover.Handover{When: s.Updated, Git: handover.Git{Branch: s.Branch, Commit: s.Commit}}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		title, id := handover.CutID(t.Title)
		if id == "" {
			id = t.ID
		}
		item := handover.Item{
			ID: id, Title: title, Status: t.status(), Written: t.Status, Priority: t.Priority, Marks: []handover.Mark{handover.MarkSnapshot},
			At: s.Updated,
		}
		if t.isDone() {
			item.At = t.ended()
		}
		h.Items = append(h.Items, item)
	}
	for i := range s.Blocks {
		b := &s.Blocks[i]
		question, asked := strings.CutPrefix(b.Title, blockQuestion)
		switch {
		case b.Title == blockState:
			h.State = b.Content
		case b.Title == blockResume:
			h.Resume = b.Content
		case b.Title == blockFiles:
			h.Refs = append(h.Refs, refsIn(b.Content)...)
		case asked:
			h.Questions = append(h.Questions, handover.Question{Text: question, Answer: b.Content})
		case strings.HasPrefix(b.Title, BlockError), strings.HasPrefix(b.Title, BlockPlan):
		default:
			h.Decisions = append(h.Decisions, b.decision())
		}
	}
	slices.SortStableFunc(h.Decisions, func(a, b handover.Decision) int { return b.When.Compare(a.When) })
	return h
}

// refsIn returns the references in the content of the block that lists files.
func refsIn(content string) []handover.Reference {
	var refs []handover.Reference
	for line := range strings.Lines(content) {
		file, purpose, _ := strings.Cut(strings.TrimSpace(line), " - ")
		if ref, ok := ledger.ParseRef(file); ok {
			refs = append(refs, handover.Reference{Ref: ref, Purpose: purpose})
		}
	}
	return refs
}

func (b *Block) decision() handover.Decision {
	d := handover.Decision{When: b.Updated, Title: b.Title}
	var text, why []string
	to := &text
	for line := range strings.Lines(b.Content) {
		line = strings.TrimRight(line, "\r\n")
		if v, ok := strings.CutPrefix(line, labelEvidence); ok {
			quote, place, _ := cutEvidence(v)
			if ref, ok := ledger.ParseRef(place); ok {
				d.Evidence = append(d.Evidence, handover.Evidence{Ref: ref, Quote: quote})
				continue
			}
		}
		if v, ok := strings.CutPrefix(line, labelInstead); ok {
			d.Alternatives = append(d.Alternatives, v)
			continue
		}
		if v, ok := strings.CutPrefix(line, labelWhy); ok {
			to, line = &why, v
		}
		*to = append(*to, line)
	}
	d.Text, d.Why = strings.Join(text, "\n"), strings.Join(why, "\n")
	if handover.Key(d.Text) == "" {
		d.Title, d.Text = "", b.Title
	}
	return d
}

// cutEvidence splits evidence such as "`quote` src/a.go:12". The quote is optional.
func cutEvidence(text string) (quote, place string, quoted bool) {
	if i := strings.LastIndex(text, "` "); i > 0 && text[0] == '`' {
		return text[1:i], text[i+2:], true
	}
	return "", text, false
}

// FromHandover returns the tasks and blocks of a handover. Fields that a snapshot can't store are in handover.Lost.
func FromHandover(h *handover.Handover) *Snapshot {
	s := &Snapshot{Updated: h.When, Branch: h.Git.Branch, Commit: h.Git.Commit}
	for i := range h.Items {
		item := &h.Items[i]
		if t := taskOfItem(item); t.Title != "" && item.Status != handover.Dropped {
			s.Tasks = append(s.Tasks, t)
		}
	}
	add := func(title, content string, when time.Time) {
		if content = strings.Join(handover.Lines(content), "\n"); title != "" {
			s.Blocks = append(s.Blocks, Block{Title: title, Content: content, Updated: when})
		}
	}
	for _, b := range [][2]string{{blockState, h.State}, {blockResume, h.Resume}} {
		if b[1] != "" {
			add(b[0], b[1], time.Time{})
		}
	}
	for i := range h.Decisions {
		d := &h.Decisions[i]
		add(oneLine(d.Headline()), contentOf(d), d.When)
	}
	for _, q := range h.Questions {
		add(blockQuestion+oneLine(q.Text), q.Answer, time.Time{})
	}
	var files []string
	for _, r := range h.Refs {
		line := fileOf(r.Ref)
		if r.Purpose != "" {
			line += " - " + oneLine(r.Purpose)
		}
		files = append(files, line)
	}
	if files != nil {
		add(blockFiles, strings.Join(files, "\n"), time.Time{})
	}
	return s
}

// taskOfItem converts an item to a task. An ID of another store becomes a part of the title.
func taskOfItem(item *handover.Item) Task {
	id := item.ID
	if !handover.IsID(id) || strings.HasPrefix(id, "TASK_") {
		id = ""
	}
	t := Task{Title: handover.Named(oneLine(item.Title), id), Status: Pending, Priority: priorityOf(item.Priority)}
	switch item.Status {
	case handover.InProgress:
		t.Status = InProgress
	case handover.Done:
		t.Status, t.Completed = Completed, item.At
	case handover.Open, handover.Blocked, handover.Dropped:
	}
	return t
}

// priorityOf converts the priority of another store to P1, P2 or P3; "" if it is unknown.
func priorityOf(p string) string {
	switch strings.ToLower(p) {
	case "p1", "high", "0", "1":
		return "P1"
	case "p2", "medium", "2":
		return "P2"
	case "p3", "low", "3", "4":
		return "P3"
	}
	return ""
}

func contentOf(d *handover.Decision) string {
	text := d.Text
	if d.Title == "" && !strings.ContainsAny(text, "\r\n") { // the title of the block already has the text
		text = ""
	}
	lines := []string{text}
	if d.Why != "" {
		lines = append(lines, labelWhy+d.Why)
	}
	for _, e := range d.Evidence {
		line := labelEvidence
		if e.Quote != "" {
			line += "`" + oneLine(e.Quote) + "` "
		}
		lines = append(lines, line+fileOf(e.Ref))
	}
	for _, a := range d.Alternatives {
		lines = append(lines, labelInstead+oneLine(a))
	}
	return strings.Join(lines, "\n")
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
