package export

import (
	"fmt"
	"html"
	"strings"
	"time"

	"github.com/yuin/goldmark"

	"github.com/continuo-tui/continuo/transcript"
)

// htmlPage writes an HTML page without scripts, which loads nothing.
type htmlPage struct {
	last     string // author of the last message; "" at the start of a thread
	markdown goldmark.Markdown
}

func newHTMLPage() *htmlPage { return &htmlPage{markdown: newMarkdown()} }

// policy is the content security policy, which forbids scripts and loading files.
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

func (p *htmlPage) head(s *Session) string {
	var b strings.Builder
	title := escape(transcript.CleanLine(s.Title))
	b.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta http-equiv=\"Content-Security-Policy\" content=\"" + policy + "\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
		"<meta name=\"color-scheme\" content=\"light dark\">\n" +
		"<title>" + title + "</title>\n<style>" + style + "</style>\n</head>\n<body>\n<header>\n<h1>" + title + "</h1>\n<dl>\n")
	for _, f := range facts(s) {
		b.WriteString("<dt>" + escape(f[0]) + "</dt><dd>" + escape(f[1]) + "</dd>\n")
	}
	b.WriteString("</dl>\n</header>\n<main>\n")
	return b.String()
}

func (p *htmlPage) foot() string { return "</main>\n</body>\n</html>\n" }

func (p *htmlPage) thread(t *transcript.Thread) string {
	p.last = ""
	if title := threadTitle(t); title != "" {
		return "<h2>" + escape(title) + "</h2>\n"
	}
	return ""
}

func (p *htmlPage) message(number int, m *transcript.Message) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<article id=\"m%d\" class=\"%s\">\n", number, m.Kind)
	if who := speaker(m); who != p.last || m.Kind == transcript.Prompt {
		fmt.Fprintf(&b, "<h3>%s <a href=\"#m%d\">%d</a>%s</h3>\n", escape(who), number, number, timeTag(m.Time))
		p.last = who
	}
	if m.Unread > 0 {
		b.WriteString(note(plural(m.Unread, "damaged line") + " left out here."))
	}
	if m.Gap {
		b.WriteString(note("The message before this one isn't in the file."))
	}
	for i := range m.Blocks {
		b.WriteString(p.block(m, i))
	}
	if m.Err != "" {
		b.WriteString(note("A record could not be read: " + transcript.CleanLine(m.Err)))
	}
	b.WriteString("</article>\n")
	return b.String()
}

func (p *htmlPage) block(m *transcript.Message, i int) string {
	switch block := &m.Blocks[i]; block.Kind {
	case transcript.BlockText:
		return p.text(m, i)
	case transcript.BlockThinking:
		return folded("thought", "Thought", "<pre>"+escape(transcript.Clean(block.Text))+"</pre>", block.Text)
	case transcript.BlockToolUse:
		return htmlCall(callOf(m, i))
	case transcript.BlockToolResult:
		if text := transcript.Clean(m.Quote(i)); !answered(m, i) {
			return folded("call", "Result", "<pre>"+escape(text)+"</pre>", text)
		}
	case transcript.BlockImage, transcript.BlockDocument:
		return note(attachment(block))
	case transcript.BlockNotice:
		title := escape(noticeTitle(block))
		if strings.TrimSpace(block.Text) == "" {
			return "<p class=\"note\">" + title + "</p>\n"
		}
		return folded("notice", title, "<pre>"+escape(transcript.Clean(block.Text))+"</pre>", block.Text)
	case transcript.BlockUnknown:
		text := transcript.Clean(string(block.Raw))
		return folded("notice", "Unknown block", "<pre>"+escape(text)+"</pre>", text)
	}
	return ""
}

// text returns a text block as HTML. Only an answer or a summary is rendered as Markdown.
func (p *htmlPage) text(m *transcript.Message, i int) string {
	if m.Role == transcript.RoleUser && m.Kind != transcript.Summary {
		if text, machine := output(m.Blocks[i].Text); machine {
			return folded("notice", "Output", "<pre>"+escape(text)+"</pre>", text)
		}
		return "<div class=\"typed\">" + escape(transcript.Clean(m.Quote(i))) + "</div>\n"
	}
	text := transcript.Clean(m.Quote(i))
	if m.Kind == transcript.Summary {
		return folded("notice", "Summary", p.rendered(text), text)
	}
	return p.rendered(text)
}

// rendered returns Markdown as HTML. A text beyond the limits stays as it is.
func (p *htmlPage) rendered(text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	if out, ok := renderMarkdown(p.markdown, text); ok {
		return "<div class=\"text\">\n" + out + "</div>\n"
	}
	return "<div class=\"typed\">" + escape(text) + "</div>\n"
}

func htmlCall(c call) string {
	title := "<b>" + escape(c.verb) + "</b>"
	if c.target != "" {
		title += " <code>" + escape(c.target) + "</code>"
	}
	class := "call"
	if c.outcome != "" {
		title += " <em>" + c.outcome + "</em>"
		class = "call " + c.outcome
	}
	body := escape(c.body)
	if c.diff {
		body = diffLines(c.body)
	}
	return folded(class, title, "<pre>"+body+"</pre>", c.body)
}

// diffLines marks the added and removed lines of a unified diff.
func diffLines(diff string) string {
	var b strings.Builder
	for line := range strings.Lines(diff) {
		text := escape(strings.TrimSuffix(line, "\n"))
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
			b.WriteString(text)
		case line[0] == '+':
			b.WriteString("<ins>" + text + "</ins>")
		case line[0] == '-':
			b.WriteString("<del>" + text + "</del>")
		default:
			b.WriteString(text)
		}
		if strings.HasSuffix(line, "\n") {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// folded returns a fold with a title in HTML. If text is blank, only a call has a title. Other classes are then
// omitted.
func folded(class, title, body, text string) string {
	if strings.TrimSpace(text) == "" {
		if strings.HasPrefix(class, "call") {
			return "<p class=\"" + class + "\">" + title + "</p>\n"
		}
		return ""
	}
	return "<details class=\"" + class + "\"><summary>" + title + "</summary>\n" + body + "\n</details>\n"
}

func note(line string) string { return "<p class=\"note\">" + escape(line) + "</p>\n" }

func timeTag(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return " <time datetime=\"" + t.UTC().Format(time.RFC3339) + "\">" + minute(t) + "</time>"
}

func escape(s string) string { return html.EscapeString(s) }
