package searching

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions/search"
	"github.com/continuo-tui/continuo/transcript"
)

// around has the messages before and after a hit. They are of the same thread.
type around struct{ Before, After []nearby }

// nearby is a message near a hit.
type nearby struct {
	Role string   `json:"role"` // user, assistant or system
	Time out.Time `json:"time"`
	Text string   `json:"text"` // one line without control characters
}

func (a around) json() any {
	return struct {
		Before []nearby `json:"before"`
		After  []nearby `json:"after"`
	}{out.OrEmpty(a.Before), out.OrEmpty(a.After)}
}

// lookAround reads up to n messages before a hit, and up to n after it. For a document, or a file that can't be
// read, there are none.
func lookAround(ctx context.Context, env *place.Env, h *search.Hit, n int) around {
	var a around
	if !strings.HasSuffix(h.Path, ".jsonl") {
		return a
	}
	list, at, err := Around(ctx, h, n)
	if err != nil {
		return a // the rest of the result stays as it is
	}
	for i := range list {
		if i == at {
			continue
		}
		m := &list[i]
		var text []string
		for b := range m.Blocks {
			if m.Blocks[b].Kind == transcript.BlockText {
				text = append(text, m.Blocks[b].Text)
			}
		}
		one := nearby{string(m.Role), out.Time(m.Time.In(env.Now().Location())), transcript.CleanLine(strings.Join(text, " "))}
		if i < at {
			a.Before = append(a.Before, one)
		} else {
			a.After = append(a.After, one)
		}
	}
	return a
}

// messageAt returns the index of the message that has the record at an offset.
func messageAt(o *transcript.Outline, offset int64) (int, bool) {
	n, ok := o.RecordAt(offset)
	if !ok {
		return 0, false
	}
	return transcript.MessageWith(o.Messages, n)
}

// Around reads the message that has a match. It also reads up to n messages of the same thread before it, and up
// to n after it. at is the index of the message that has the match.
func Around(ctx context.Context, h *search.Hit, n int) (messages []transcript.Message, at int, err error) {
	if !strings.HasSuffix(h.Path, ".jsonl") {
		text, err := sectionAt(h)
		return []transcript.Message{{Kind: transcript.Answer, Role: transcript.RoleAssistant, Blocks: []transcript.Block{{Kind: transcript.BlockText, Text: text}}}}, 0, err
	}
	t, err := transcript.Open(ctx, h.Path)
	if err != nil {
		return nil, 0, err
	}
	defer t.Close()
	o := t.Outline()
	i, ok := messageAt(o, h.Offset)
	if !ok {
		return nil, 0, nil // the file was rewritten meanwhile
	}
	thread := o.Threads[o.Messages[i].Thread].Messages
	at = slices.Index(thread, i)
	from := max(0, at-n)
	for _, k := range thread[from:min(len(thread), at+1+n)] {
		messages = append(messages, t.Message(k))
	}
	return messages, at - from, nil
}

// sectionAt reads up to 16 kB of a document, starting at the offset of a match.
func sectionAt(h *search.Hit) (string, error) {
	const most = 16 << 10
	f, _, err := transcript.OpenFile(h.Path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b := make([]byte, most)
	n, err := f.ReadAt(b, h.Offset)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return string(b[:n]), err
}
