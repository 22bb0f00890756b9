package export

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// maxTarget is the maximum length of the target of a call in runes.
const maxTarget = 200

// speaker returns the author of a message, for the line above it.
func speaker(m *transcript.Message) string {
	switch m.Kind {
	case transcript.Prompt:
		return "You"
	case transcript.Answer:
		return "Claude"
	case transcript.Boundary:
		return "Compaction"
	case transcript.Summary:
		return "Summary of the earlier messages"
	case transcript.Notice: // a slash or shell command of the user is also a notice
		if len(m.Blocks) > 0 && transcript.PromptText(m.Blocks[0].Text) != m.Blocks[0].Text {
			return "You"
		}
	case transcript.System:
	}
	return "Claude Code"
}

// threadTitle returns the heading of a thread; "" for the main thread.
func threadTitle(t *transcript.Thread) string {
	switch t.Kind {
	case transcript.Branch:
		return "Hidden branch: " + transcript.CleanLine(t.Name)
	case transcript.Sidechain:
		return "Sub-agent: " + transcript.CleanLine(t.Name)
	case transcript.Main:
	}
	return ""
}

// minute returns a time in UTC without seconds; "" for the zero time.
func minute(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

// call is a tool call with clean texts for display.
type call struct {
	verb, target string // one line each; target may be ""
	outcome      string // "failed", "rejected", "skipped" or ""
	body         string // the change, or the parameters and the result
	diff         bool   // body is a unified diff
}

func callOf(m *transcript.Message, block int) call {
	c := m.Call(block)
	v := call{verb: c.Verb(), body: transcript.Clean(m.Quote(block))}
	if p := c.Target(); p != nil {
		v.target = cut(transcript.CleanLine(p.Text()), maxTarget)
	}
	if rest, ok := strings.CutPrefix(v.body, v.target+"\n\n"); ok && v.target != "" { // the target shows it
		v.body = rest
	}
	switch c.Outcome() {
	case transcript.OutcomeFailed:
		v.outcome = "failed"
	case transcript.OutcomeRejected:
		v.outcome = "rejected"
	case transcript.OutcomeSkipped:
		v.outcome = "skipped"
	case transcript.OutcomeNone, transcript.OutcomeDone:
	}
	v.diff = c.Result != nil && len(c.Result.Patch) > 0 && !c.Result.Failed
	return v
}

// answered reports whether a result is shown with its call, in the same message.
func answered(m *transcript.Message, block int) bool {
	for i := range m.Blocks {
		if b := &m.Blocks[i]; b.Kind == transcript.BlockToolUse && b.ID != "" && b.ID == m.Blocks[block].CallID {
			return true
		}
	}
	return false
}

// noticeTitle returns the title of a notice on one line.
func noticeTitle(b *transcript.Block) string {
	name, title := transcript.CleanLine(b.Name), transcript.CleanLine(b.Title)
	join := func(words ...string) string { return strings.TrimSpace(strings.Join(words, " ")) }
	switch b.Notice {
	case transcript.NoticePeer:
		return join("Message from", cmp.Or(name, "another agent")+suffix(title))
	case transcript.NoticeTask:
		return "Background task" + suffix(title)
	case transcript.NoticeContinued:
		return "Continued with " + cmp.Or(title, "a prompt of Claude Code")
	case transcript.NoticeHook:
		return join("Hook", name, title)
	case transcript.NoticeFile:
		return join("File", name)
	case transcript.NoticeSelection:
		return join("Selected in", name, title)
	case transcript.NoticeDiagnostics:
		return "Problems in the editor"
	case transcript.NoticeSkills:
		return join("Skills loaded again:", name)
	case transcript.NoticeNote:
	}
	return "Note" + suffix(title)
}

func suffix(title string) string {
	if title == "" {
		return ""
	}
	return ": " + title
}

// output returns the text for the user in a text of the client. Notes to the model are omitted. ok is false if the
// client didn't write the whole text.
func output(text string) (shown string, ok bool) {
	frames := transcript.Frames(text)
	var list []string
	for _, f := range frames {
		switch f.Tag {
		case "", "local-command-stdout", "local-command-stderr", "bash-stdout", "bash-stderr":
			if t := strings.Trim(transcript.Clean(f.Text), "\n"); t != "" {
				list = append(list, t)
			}
		}
	}
	return strings.Join(list, "\n"), len(frames) > 0
}

// attachment describes an image or a document on one line.
func attachment(b *transcript.Block) string {
	kind := "Image"
	if b.Kind == transcript.BlockDocument {
		kind = "Document"
	}
	if media := transcript.CleanLine(b.Media); media != "" {
		kind += ", " + media
	}
	if b.Bytes > 0 {
		kind += fmt.Sprintf(", %d bytes", b.Bytes)
	}
	return kind
}

// cut shortens a line to n runes.
func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// plural returns a number and a thing, such as "2 files".
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// facts returns the lines at the start of an export, as names and values.
func facts(s *Session) [][2]string {
	list := [][2]string{{"Session", transcript.CleanLine(s.ID)}}
	add := func(name, value string) {
		if value != "" {
			list = append(list, [2]string{name, value})
		}
	}
	add("Folder", transcript.CleanLine(s.Dir))
	add("Branch", transcript.CleanLine(s.Branch))
	add("From", minute(s.First))
	add("To", minute(s.Last))
	add("Messages", fmt.Sprint(s.Messages))
	if s.From > 0 {
		add("Part", fmt.Sprintf("messages %d to %d of the file", s.From, s.To))
	}
	if n := s.Tokens.Fresh(); n > 0 {
		add("Tokens", fmt.Sprintf("%d, and %d read from the cache", n, s.Tokens.CacheRead))
	}
	if n := s.Counts.Unparsed + s.Counts.NotObjects; n > 0 {
		add("Damaged", plural(n, "line")+" could not be read")
	}
	return list
}
