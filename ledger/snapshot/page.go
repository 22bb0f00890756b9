package snapshot

import (
	"strings"

	"github.com/continuo-tui/continuo/ledger/handover"
)

// CountsText returns the numbers of tasks in the words that are printed after a load.
func (s *Snapshot) CountsText() string {
	c := s.Counts()
	return c.loaded()
}

// Page returns the tasks and the context blocks as Markdown. Open tasks come first.
func (s *Snapshot) Page(drift Drift) string {
	var b strings.Builder
	b.WriteString("# Snapshot\n\n- " + s.CountsText() + "\n")
	for _, line := range s.gitLines(drift) {
		b.WriteString("- " + line + "\n")
	}
	if next := s.Next(); next != nil {
		b.WriteString("- Next: " + next.ID + " - " + oneLine(next.Title) + "\n")
	}
	for _, group := range []struct {
		name string
		is   func(handover.Status) bool
	}{
		{"In progress", func(s handover.Status) bool { return s == handover.InProgress }},
		{"Pending", func(s handover.Status) bool { return s.IsOpen() && s != handover.InProgress }},
		{"Completed", func(s handover.Status) bool { return !s.IsOpen() }},
	} {
		head := "\n## " + group.name + "\n\n"
		for i := range s.Tasks {
			if t := &s.Tasks[i]; group.is(t.status()) {
				b.WriteString(head)
				head = ""
				t.page(&b)
			}
		}
	}
	for i := range s.Blocks {
		b.WriteString("\n## " + oneLine(s.Blocks[i].Title) + "\n\n" + s.Blocks[i].Content + "\n")
	}
	return b.String()
}

// page writes a task as a list item.
func (t *Task) page(b *strings.Builder) {
	box := "- [ ] "
	if t.isDone() {
		box = "- [x] "
	}
	b.WriteString(box + strings.Join(strings.Fields(t.ID+" "+t.Priority+" "+t.Category+" "+t.Title), " ") + "\n")
	for _, l := range append(handover.Lines(t.Context), strings.Join(t.Files, ", ")) {
		if l != "" {
			b.WriteString("  - " + l + "\n")
		}
	}
}
