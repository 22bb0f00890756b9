package export

import (
	"strings"

	"github.com/continuo-tui/continuo/transcript"
)

// markdownPage writes markdown. Prompts are quotes, answers are unchanged, and calls are fenced code.
type markdownPage struct {
	last string // author of the last message; "" at the start of a thread
}

// MarkdownOf returns messages as markdown, without the facts about the session.
func MarkdownOf(messages []transcript.Message) string {
	var b strings.Builder
	p := &markdownPage{}
	for i := range messages {
		b.WriteString(p.message(0, &messages[i]))
	}
	return strings.TrimLeft(b.String(), "\n")
}

func (p *markdownPage) head(s *Session) string {
	var b strings.Builder
	b.WriteString("# " + plainMarkdown(transcript.CleanLine(s.Title)) + "\n\n")
	for _, f := range facts(s) {
		b.WriteString("- " + f[0] + ": " + plainMarkdown(f[1]) + "\n")
	}
	return b.String()
}

func (p *markdownPage) thread(t *transcript.Thread) string {
	p.last = ""
	if title := threadTitle(t); title != "" {
		return "\n---\n\n# " + plainMarkdown(title) + "\n"
	}
	return ""
}

func (p *markdownPage) foot() string { return "" }

func (p *markdownPage) message(_ int, m *transcript.Message) string {
	body := markdownBody(m)
	if body == "" {
		return ""
	}
	head := ""
	if who := speaker(m); who != p.last || m.Kind == transcript.Prompt {
		head = "\n## " + who
		if at := minute(m.Time); at != "" {
			head += " · " + at
		}
		head += "\n"
		p.last = who
	}
	return head + body
}

// markdownBody returns the blocks of a message, separated by blank lines.
func markdownBody(m *transcript.Message) string {
	var b strings.Builder
	put := func(text string) {
		if text = strings.Trim(text, "\n"); strings.TrimSpace(text) != "" {
			b.WriteString("\n" + text + "\n")
		}
	}
	if m.Unread > 0 {
		put("*" + plural(m.Unread, "damaged line") + " left out here.*")
	}
	if m.Gap {
		put("*The message before this one isn't in the file.*")
	}
	for i := range m.Blocks {
		switch block := &m.Blocks[i]; block.Kind {
		case transcript.BlockText:
			put(markdownText(m, i))
		case transcript.BlockThinking:
			if text := transcript.Clean(block.Text); strings.TrimSpace(text) != "" {
				put("**Thought**\n\n" + quoted(text))
			}
		case transcript.BlockToolUse:
			put(markdownCall(callOf(m, i)))
		case transcript.BlockToolResult:
			if !answered(m, i) {
				put("**Result**\n\n" + fenced(transcript.Clean(m.Quote(i)), ""))
			}
		case transcript.BlockImage, transcript.BlockDocument:
			put("*" + plainMarkdown(attachment(block)) + "*")
		case transcript.BlockNotice:
			put("**" + plainMarkdown(noticeTitle(block)) + "**\n\n" + fenced(transcript.Clean(block.Text), ""))
		case transcript.BlockUnknown:
			put(fenced(transcript.Clean(string(block.Raw)), "json"))
		}
	}
	if m.Err != "" {
		put("*A record could not be read: " + plainMarkdown(transcript.CleanLine(m.Err)) + "*")
	}
	return b.String()
}

// markdownText returns a text block as Markdown. A prompt becomes a quote, and the output of a command becomes code.
func markdownText(m *transcript.Message, block int) string {
	if m.Role == transcript.RoleUser && m.Kind != transcript.Summary {
		if text, machine := output(m.Blocks[block].Text); machine {
			return fenced(text, "")
		}
		return quoted(transcript.Clean(m.Quote(block)))
	}
	return transcript.Clean(m.Quote(block))
}

func markdownCall(c call) string {
	line := "**" + plainMarkdown(c.verb) + "**"
	if c.target != "" {
		line += " " + span(c.target)
	}
	if c.outcome != "" {
		line += " · " + c.outcome
	}
	language := ""
	if c.diff {
		language = "diff"
	}
	if c.body == c.target {
		return line
	}
	return line + "\n\n" + fenced(c.body, language)
}

// quoted returns a text as a block quote.
func quoted(text string) string {
	text = strings.Trim(text, "\n")
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return strings.ReplaceAll("> "+strings.ReplaceAll(text, "\n", "\n> "), "\n> \n", "\n>\n")
}

// fenced returns a text as a code block with a fence that isn't in the text.
func fenced(text, language string) string {
	text = strings.Trim(text, "\n")
	if strings.TrimSpace(text) == "" {
		return ""
	}
	fence := strings.Repeat("`", max(3, longestRun(text)+1))
	return fence + language + "\n" + text + "\n" + fence
}

// span returns a line as inline code.
func span(line string) string {
	marks := strings.Repeat("`", longestRun(line)+1)
	if strings.HasPrefix(line, "`") || strings.HasSuffix(line, "`") {
		line = " " + line + " "
	}
	return marks + line + marks
}

// longestRun returns the length of the longest run of backticks.
func longestRun(text string) int {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return longest
}

// plainMarkdown escapes a line, so that a markdown renderer shows it as it is.
func plainMarkdown(line string) string {
	var b strings.Builder
	special := "\\`*_[]<>#|"
	if strings.Contains(line, "~~") {
		special += "~"
	}
	for _, r := range line {
		if strings.ContainsRune(special, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
