package preview

import (
	"context"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/turn"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

const (
	ahead       = 16  // sections that are read at once; spec 000 has thirteen
	mostWork    = 512 // maximum messages of the last turn that are read
	promptLines = 4   // how many lines of a prompt are shown, at most
)

// Source opens the file of a row.
type Source interface {
	Open(ctx context.Context, row sessions.Row) (opened.Doc, error)
}

// Shown has the drawn lines of a row: the last turn of a conversation, or sections of a document.
type Shown struct {
	Lines   []string
	Prompts int // number of prompts in a conversation

	// The number of messages, and the number that the model knows after a resume.
	Messages, Known int

	Err error
}

// Changes counts the files and lines that the calls of a conversation have changed.
type Changes struct {
	Files          int
	Added, Removed int // lines
}

// Read opens the file of a row. It draws the last turn of a conversation, or about rows lines of a document. Sections
// with a match of find are open.
func Read(ctx context.Context, source Source, row sessions.Row, o talk.Options, rows int, find render.Needle) (s Shown) {
	doc, err := source.Open(ctx, row)
	if err != nil {
		return Shown{Err: err}
	}
	if row.Kind == sessions.KindDocument {
		s = readDocument(ctx, doc, &row, o, rows, find)
	} else {
		s = readTalk(ctx, doc, o)
	}
	if closing := doc.Close(); s.Err == nil {
		s.Err = closing
	}
	return s
}

// readTalk draws the last turn of a conversation: the prompt, the work and the answer. If the conversation has one
// prompt, the prompt is left out.
func readTalk(ctx context.Context, doc opened.Doc, o talk.Options) (s Shown) {
	refs := doc.Outline()
	for i := range refs {
		if refs[i].Turn {
			s.Messages++
			if refs[i].Known {
				s.Known++
			}
		}
	}
	end, last := opened.MainEnd(refs, doc.Threads())+1, -1
	for i := range refs[:end] {
		if refs[i].Kind == transcript.Prompt && refs[i].Turn {
			s.Prompts++
			last = i
		}
	}
	var messages []transcript.Message
	messages, s.Err = doc.Messages(ctx, max(last, end-mostWork, 0), end)
	if s.Err != nil {
		return s
	}
	var work turn.Work
	var answer *transcript.Message
	for i := range messages {
		m := &messages[i]
		if m.Kind == transcript.Prompt && s.Prompts > 1 {
			s.Lines = append(s.Lines, promptLinesOf(m, s.Prompts, o)...)
		}
		if work.Add(m); m.Kind == transcript.Answer && textOf(m) != nil {
			answer = textOf(m)
		}
	}
	if line := talk.WorkLine(&work, o); line != "" {
		s.Lines = append(s.Lines, "", line)
	}
	if answer != nil {
		s.Lines = append(append(s.Lines, ""), talk.Message(answer, talk.Start, o)...)
	}
	return s
}

// promptLinesOf draws the last of n prompts of a conversation.
func promptLinesOf(m *transcript.Message, n int, o talk.Options) []string {
	of := words.Count(n)
	head := render.NewLine(o.Styles, o.Width).To(o.Left).Put(render.Faint, "Last prompt, "+of+" of "+of)
	if !m.Time.IsZero() {
		head.Right(o.Width, render.Span{Ink: render.Faint, Text: m.Time.In(o.Zone).Format("15:04")})
	}
	return append([]string{"", head.String()}, prompt(o.Styles, talk.FirstLine(m, promptLines*o.Width), o.Width)...)
}

func prompt(styles *render.Styles, text string, width int) []string {
	all := render.Wrap(text, width-4)
	lines := make([]string, 0, promptLines)
	for i, s := range all[:min(len(all), promptLines)] {
		l := render.NewLine(styles, width).To(2)
		if i == 0 {
			l.Put(render.AccentBold, "❯ ")
		}
		if i == promptLines-1 && len(all) > promptLines {
			s += " …"
		}
		lines = append(lines, l.To(4).Put(render.Strong, s).String())
	}
	return lines
}

// textOf returns a copy of an answer with only the text. It returns nil without text.
func textOf(m *transcript.Message) *transcript.Message {
	text := *m
	text.Blocks, text.Time = nil, time.Time{}
	for _, b := range m.Blocks {
		if b.Kind == transcript.BlockText && strings.TrimSpace(b.Text) != "" {
			text.Blocks = append(text.Blocks, b)
		}
	}
	if text.Blocks == nil {
		return nil
	}
	return &text
}

// ReadChanges opens the file of a conversation and counts the changes of the main thread. It decodes only messages with
// calls that write files.
func ReadChanges(ctx context.Context, source Source, row sessions.Row) (c Changes, err error) {
	doc, err := source.Open(ctx, row)
	if err != nil {
		return c, err
	}
	files, refs := map[string]bool{}, doc.Outline()
	for i := range refs[:opened.MainEnd(refs, doc.Threads())+1] {
		if !refs[i].Edits || err != nil {
			continue
		}
		var msgs []transcript.Message
		if msgs, err = doc.Messages(ctx, i, i+1); err == nil {
			c.add(&msgs[0], files)
		}
	}
	if closing := doc.Close(); err == nil {
		err = closing
	}
	c.Files = len(files)
	return c, err
}

// add adds the changes of a message's calls, and the changed files to files.
func (c *Changes) add(m *transcript.Message, files map[string]bool) {
	for i := range m.Blocks {
		if m.Blocks[i].Kind != transcript.BlockToolUse {
			continue
		}
		call := m.Call(i)
		diff := call.Diff()
		if !diff.Changes() || call.Outcome() != transcript.OutcomeDone {
			continue
		}
		added, removed, _ := diff.Count()
		c.Added, c.Removed = c.Added+added, c.Removed+removed
		if file, _ := call.File(); file != "" {
			files[file] = true
		}
	}
}

func readDocument(ctx context.Context, doc opened.Doc, row *sessions.Row, o talk.Options, rows int, find render.Needle) (s Shown) {
	total := len(doc.Outline())
	msgs := func(yield func(transcript.Message) bool) {
		for from := 0; from < total && s.Err == nil; from += ahead {
			var part []transcript.Message
			part, s.Err = doc.Messages(ctx, from, min(from+ahead, total))
			for i := range part {
				if !yield(part[i]) {
					return
				}
			}
		}
	}
	s.Lines = opened.Draw(opened.Sections(msgs), row, rows, find, o)
	return s
}
