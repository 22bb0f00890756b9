package survey

import (
	"context"
	"strings"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	lastDecoded = 200 // maximum number of decoded messages, counted from the end
	lastBytes   = 800 // maximum length of a returned text in bytes
)

// lastOf returns the first paragraph of a session's last prompt, and the first two of its answer, or "". It decodes
// messages from the end.
func lastOf(
	ctx context.Context, open func(context.Context, sessions.Row) (Doc, error), row sessions.Row,
) (prompt, reply string, err error) {
	if row.State == sessions.StateUnreadable {
		return "", "", nil // the session's badge shows the error
	}
	doc, err := open(ctx, row)
	if err != nil {
		return "", "", err
	}
	defer func() { _ = doc.Close() }() // an error of Close doesn't matter after reading
	refs, threads := doc.Outline(), doc.Threads()
	left := lastDecoded
	for i := len(refs) - 1; i >= 0 && left > 0; i-- {
		isPrompt := refs[i].Kind == transcript.Prompt
		isAnswer := refs[i].Kind == transcript.Answer && reply == ""
		if !isPrompt && !isAnswer || threads[refs[i].Thread].Kind != transcript.Main {
			continue
		}
		left--
		messages, err := doc.Messages(ctx, i, i+1)
		if err != nil {
			return "", reply, err
		}
		for k := range messages {
			switch m := &messages[k]; {
			case !isPrompt:
				reply = paragraphs(m.Said(), 2)
			default:
				if prompt = paragraphs(promptOf(m), 1); prompt != "" {
					return prompt, reply, nil
				}
			}
		}
	}
	return "", reply, nil
}

// lastTalk returns the newest session of a project, with its last prompt and answer. of is nil without a session.
func (l *Look) lastTalk(ctx context.Context, mine []*sessions.Row) (prompt, reply string, of *sessions.Row) {
	type answer struct{ prompt, reply string }
	for _, r := range mine {
		if r.Kind != sessions.KindSession || r.Quiet() {
			continue
		}
		a, _ := sessions.InTime(ctx, pageTalk, func(ctx context.Context) answer {
			prompt, reply, _ := lastOf(ctx, l.Open, *r) // an unreadable session has no prompt
			return answer{prompt, reply}
		})
		return a.prompt, a.reply, r
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

// paragraphs returns the first n paragraphs of a text, clean, one per line, and cut to lastBytes.
func paragraphs(text string, n int) string {
	const most = 16 * lastBytes // limit of the input; Clean may remove much
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
