// Package dropped finds the files, commands and decisions that the summary of a compaction omits.
//
// It uses no model, and compares only names. Texts are clean, and all texts except paths are masked.
package dropped

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/digest"
)

// Kind is the kind of an item.
type Kind string

// The kinds of items, in the order of a List.
const (
	Decision Kind = "decision" // a decision of the user
	File     Kind = "file"     // a file that was changed or read
	Command  Kind = "command"  // a shell command
)

// Item is a file, a command or a decision, with its last call.
type Item struct {
	Kind   Kind      `json:"kind"`
	Text   string    `json:"text"`           // path of a file, last one of equal commands, or question
	Said   string    `json:"said,omitempty"` // answer or reason of the user, on one line; "" if none
	Edits  int       `json:"edits,omitempty"`
	Reads  int       `json:"reads,omitempty"`
	Runs   int       `json:"runs,omitempty"`   // number of runs of commands with the same first words
	Failed bool      `json:"failed,omitempty"` // the last run failed
	ID     string    `json:"messageId"`        // ID of the message with the call
	At     int       `json:"-"`                // index of the message
	Block  int       `json:"-"`                // index of the block with the call
	Time   time.Time `json:"-"`                // time of the message; zero if unknown

	name  string // first words of a command; for other items, Text
	known bool   // the compaction kept a message with this item
}

// List has the items that a summary omits: decisions, changed files, read files, commands. Commands such as `ls` come
// last. Within a group, the order is by the last call.
type List []Item

// Count returns the number of items of a kind.
func (l List) Count(k Kind) (n int) {
	for i := range l {
		if l[i].Kind == k {
			n++
		}
	}
	return n
}

// Span is the range of messages before a summary. From is the index of its first message. At is the index of the
// summary.
type Span struct{ From, At int }

// Spans returns the span of each summary in an outline.
func Spans(refs []transcript.MessageRef) (list []Span) {
	from, boundary := 0, false
	for i := range refs {
		if i > 0 && refs[i].Thread != refs[i-1].Thread {
			from, boundary = i, false
		}
		switch refs[i].Kind {
		case transcript.Boundary:
			if boundary { // the previous compaction has no summary
				from = i
			}
			boundary = true
		case transcript.Summary:
			list = append(list, Span{from, i})
			from, boundary = i+1, false
		case transcript.Prompt, transcript.Answer, transcript.Notice, transcript.System:
		}
	}
	return list
}

// Before collects the items of the messages between two compactions.
type Before struct {
	items []Item
	index map[[2]string]int // indexes of the items by kind and name
}

// most is the maximum number of items.
const most = 5000

// Add adds the calls of a message with the index at.
func (b *Before) Add(at int, m *transcript.Message) {
	for i := range m.Blocks {
		if m.Blocks[i].Kind != transcript.BlockToolUse {
			continue
		}
		c := m.Call(i)
		for _, it := range itemsOf(&c) {
			it.At, it.Block, it.ID, it.Time, it.known = at, i, m.ID, m.Time, m.Known
			b.add(it)
		}
	}
}

// itemsOf returns the items of a call.
func itemsOf(c *transcript.Call) (list []Item) {
	d := digest.Call(c)
	if file, _ := c.File(); c.Kind == transcript.ToolRead && c.Outcome() == transcript.OutcomeDone {
		file = transcript.CleanLine(file)
		list = append(list, Item{Kind: File, Text: file, name: file, Reads: 1})
	}
	for _, f := range d.Files {
		list = append(list, Item{Kind: File, Text: f.Path, name: f.Path, Edits: f.Changes})
	}
	for _, r := range slices.Concat(d.Commands.First, d.Commands.Last) {
		list = append(list, Item{Kind: Command, Text: r.Text, name: firstWords(r.Text), Runs: r.Times, Failed: r.Failed})
	}
	for _, q := range slices.Concat(d.Decisions.First, d.Decisions.Last) {
		said, _, _ := strings.Cut(q.Said, "\n")
		switch q.Kind {
		case digest.Unanswered:
			continue
		case digest.Approved: // Said would be the whole plan
			said = ""
		case digest.Answered, digest.Refused:
		}
		list = append(list, Item{Kind: Decision, Text: q.About, Said: said, name: q.About + "\n" + said})
	}
	return slices.DeleteFunc(list, func(it Item) bool { return strings.TrimSpace(it.name) == "" })
}

// add adds an item, or merges it into an item with the same kind and name.
func (b *Before) add(it Item) {
	key := [2]string{string(it.Kind), it.name}
	i, ok := b.index[key]
	if !ok {
		if len(b.items) == most {
			return
		}
		if b.index == nil {
			b.index = map[[2]string]int{}
		}
		b.index[key] = len(b.items)
		b.items = append(b.items, it)
		return
	}
	old := &b.items[i]
	edits, reads, runs, known := old.Edits+it.Edits, old.Reads+it.Reads, old.Runs+it.Runs, old.known || it.known
	if it.Edits > 0 || old.Edits == 0 { // keep the last change, not a later read
		*old = it
	}
	old.Edits, old.Reads, old.Runs, old.known = edits, reads, runs, known
}

// Len returns the number of items.
func (b *Before) Len() int { return len(b.items) }

// NotIn returns the items that a summary omits. Items in messages that the compaction kept don't count.
func (b *Before) NotIn(summary *transcript.Message) List {
	var texts []string
	for i := range summary.Blocks {
		texts = append(texts, summary.Blocks[i].Text)
	}
	s, bases := newText(strings.Join(texts, "\n")), map[string]int{}
	for i := range b.items {
		if it := &b.items[i]; it.Kind == File {
			bases[base(it.name)]++
		}
	}
	list := List{}
	for _, it := range b.items {
		named := it.known
		switch it.Kind {
		case File:
			named = named || s.namesFile(it.name, bases[base(it.name)] > 1)
		case Command:
			named = named || s.namesCommand(it.name)
		case Decision:
			named = named || s.says(it.Text, it.Said)
		}
		if !named {
			list = append(list, it)
		}
	}
	slices.SortStableFunc(list, func(a, b Item) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.At, b.At), cmp.Compare(a.Block, b.Block))
	})
	return list
}

// Lists computes the List for each summary of an outline. The caller adds all messages in order.
type Lists struct {
	spans  []Span
	before Before
}

// NewLists returns the Lists of an outline.
func NewLists(refs []transcript.MessageRef) *Lists { return &Lists{spans: Spans(refs)} }

// Add adds a message with the index at. For a summary, it returns the List; otherwise nil.
func (l *Lists) Add(at int, m *transcript.Message) *List {
	if len(l.spans) == 0 || at < l.spans[0].From {
		return nil
	}
	if at < l.spans[0].At {
		l.before.Add(at, m)
		return nil
	}
	list := l.before.NotIn(m)
	l.spans, l.before = l.spans[1:], Before{}
	return &list
}

func (it *Item) rank() int {
	switch {
	case it.Kind == Decision:
		return 0
	case it.Edits > 0:
		return 1
	case it.Kind == File:
		return 2
	case looks(it.name):
		return 4
	}
	return 3
}
