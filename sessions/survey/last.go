package survey

import (
	"context"
	"strings"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	lastDecoded = 200 // messages that are looked at, from the end
	lastBytes   = 800 // of a text that is kept
)

// lastOf returns the first paragraph of the last prompt of a session, and the first paragraphs of the answer to it;
// said is "" without an answer. Messages are decoded from the end, one by one.
func lastOf(ctx context.Context, open func(context.Context, sessions.Row) (Doc, error), row sessions.Row) (prompt, said string, err error) {
	if row.State == sessions.StateUnreadable {
		return "", "", nil // its badge says so
	}
	doc, err := open(ctx, row)
	if err != nil {
		return "", "", err
	}
	defer func() { _ = doc.Close() }() // it was only read
	refs, threads := doc.Outline(), doc.Threads()
	left := lastDecoded
	for i := len(refs) - 1; i >= 0 && left > 0; i-- {
		isPrompt := refs[i].Kind == transcript.Prompt
		if !isPrompt && (refs[i].Kind != transcript.Answer || said != "") || threads[refs[i].Thread].Kind != transcript.Main {
			continue
		}
		left--
		messages, err := doc.Messages(ctx, i, i+1)
		if err != nil {
			return "", said, err
		}
		for k := range messages {
			switch m := &messages[k]; {
			case !isPrompt:
				said = paragraphs(m.Said(), 2)
			default:
				if prompt = paragraphs(promptOf(m), 1); prompt != "" {
					return prompt, said, nil
				}
			}
		}
	}
	return "", said, nil
}

// lastTalk returns the last prompt and answer of the newest session among rows of a project; nil if there is none.
func (l *Look) lastTalk(ctx context.Context, mine []*sessions.Row) (prompt, said string, of *sessions.Row) {
	type answer struct{ prompt, said string }
	for _, r := range mine {
		if r.Kind != sessions.KindSession || r.Quiet() {
			continue
		}
		a, _ := sessions.InTime(ctx, pageTalk, func(ctx context.Context) answer {
			prompt, said, _ := lastOf(ctx, l.Open, *r) // unreadable sessions are skipped
			return answer{prompt, said}
		})
		return a.prompt, a.said, r
	}
	return "", "", nil
}

// promptOf returns the text that the user typed.
func promptOf(m *transcript.Message) string {
	var texts []string
	for i := range m.Blocks {
		if m.Blocks[i].Kind == transcript.BlockText {
			texts = append(texts, m.Quote(i))
		}
	}
	return strings.Join(texts, "\n\n")
}

// paragraphs are the first n paragraphs of a foreign text, clean, a line break between two, and no more than lastBytes.
func paragraphs(text string, n int) string {
	const most = 16 * lastBytes // input limit for Clean, which may remove a lot
	if len(text) > most {
		text = text[:most]
	}
	var list []string
	size := 0
	for part := range strings.SplitSeq(strings.TrimSpace(transcript.Clean(text)), "\n\n") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		if size += len(part); size > lastBytes {
			part = strings.ToValidUTF8(part[:max(len(part)-(size-lastBytes), 0)], "") + "…"
		}
		if list = append(list, part); len(list) == n || size > lastBytes {
			break
		}
	}
	return strings.Join(list, "\n")
}
