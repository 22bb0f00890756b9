package searching

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions/index"
	"github.com/continuo-tui/continuo/sessions/search"
	"github.com/continuo-tui/continuo/transcript"
)

// around has the messages around a hit, from the same thread.
type around struct{ Before, After []nearby }

// nearby is a message near a hit.
type nearby struct {
	Role string   `json:"role"` // user, assistant or system
	Time out.Time `json:"time"`
	Text string   `json:"text"` // one clean line
}

func (a around) json() any {
	return struct {
		Before []nearby `json:"before"`
		After  []nearby `json:"after"`
	}{out.OrEmpty(a.Before), out.OrEmpty(a.After)}
}

// lookAround reads up to n messages before and after a hit. It returns none for a document or an unreadable
// file.
func lookAround(ctx context.Context, env *place.Env, h *search.Hit, n int) around {
	var a around
	if !strings.HasSuffix(h.Path, ".jsonl") {
		return a
	}
	near, err := Around(ctx, h, n)
	if err != nil {
		return a // the hit is shown alone
	}
	for i := range near.Messages {
		if i == near.At {
			continue
		}
		m := &near.Messages[i]
		var text []string
		for b := range m.Blocks {
			if m.Blocks[b].Kind == transcript.BlockText {
				text = append(text, m.Blocks[b].Text)
			}
		}
		one := nearby{string(m.Role), out.Time(m.Time.In(env.Now().Location())), transcript.CleanLine(strings.Join(text, " "))}
		if i < near.At {
			a.Before = append(a.Before, one)
		} else {
			a.After = append(a.After, one)
		}
	}
	return a
}

// messageAt returns the index of the message with the record at an offset.
func messageAt(o *transcript.Outline, offset int64) (int, bool) {
	n, ok := o.RecordAt(offset)
	if !ok {
		return 0, false
	}
	return transcript.MessageWith(o.Messages, n)
}

// Around reads the message with a match, and up to n messages of its thread before and after. In a document, it
// reads the section with the match and following text.
func Around(ctx context.Context, h *search.Hit, n int) (near search.Nearby, err error) {
	if !strings.HasSuffix(h.Path, ".jsonl") {
		return sectionAt(h)
	}
	t, err := transcript.Open(ctx, h.Path)
	if err != nil {
		return near, err
	}
	defer t.Close()
	o := t.Outline()
	i, ok := messageAt(o, h.Offset)
	if !ok {
		return near, nil // the file was rewritten since the search
	}
	thread := o.Threads[o.Messages[i].Thread].Messages
	at := slices.Index(thread, i)
	for k, m := range thread {
		if o.Messages[m].Turn {
			if near.Of++; k <= at {
				near.Number = near.Of
			}
		}
	}
	from := max(0, at-n)
	for _, k := range thread[from:min(len(thread), at+1+n)] {
		near.Messages = append(near.Messages, t.Message(k))
	}
	near.At = at - from
	return near, nil
}

// sectionAt reads the section at a match and the following ones, at most 16 kB together.
func sectionAt(h *search.Hit) (near search.Nearby, err error) {
	const most = 16 << 10
	f, _, err := transcript.OpenFile(h.Path)
	if err != nil {
		return near, err
	}
	defer f.Close()
	b := make([]byte, most)
	n, err := f.ReadAt(b, h.Offset)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	for _, section := range index.Sections(b[:n]) {
		text := transcript.Block{Kind: transcript.BlockText, Text: string(section)}
		near.Messages = append(near.Messages, transcript.Message{Kind: transcript.Answer, Role: transcript.RoleAssistant, Blocks: []transcript.Block{text}})
	}
	return near, err
}
