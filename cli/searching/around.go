package searching

import (
	"context"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions/search"
	"github.com/continuo-tui/continuo/transcript"
)

// around has the messages of the same thread before and after a hit.
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

// lookAround reads up to n messages before and after a hit; none for a document or a file that can't be read.
func lookAround(ctx context.Context, env *place.Env, h *search.Hit, n int) around {
	var a around
	if !strings.HasSuffix(h.Path, ".jsonl") {
		return a
	}
	t, err := transcript.Open(ctx, h.Path)
	if err != nil {
		return a
	}
	defer t.Close()
	o := t.Outline()
	i, ok := o.MessageAt(h.Offset)
	if !ok {
		return a
	}
	thread := o.Threads[o.Messages[i].Thread].Messages
	at := slices.Index(thread, i)
	read := func(list []int) (found []nearby) {
		for _, k := range list {
			m := t.Message(k)
			var text []string
			for b := range m.Blocks {
				if m.Blocks[b].Kind == transcript.BlockText {
					text = append(text, m.Blocks[b].Text)
				}
			}
			found = append(found, nearby{string(m.Role), out.Time(m.Time.In(env.Now().Location())), transcript.CleanLine(strings.Join(text, " "))})
		}
		return found
	}
	a.Before = read(thread[max(0, at-n):at])
	a.After = read(thread[at+1 : min(len(thread), at+1+n)])
	return a
}
