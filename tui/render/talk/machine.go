package talk

import (
	"html"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
)

// openingTag returns the name of the tag at the start of a text.
func openingTag(s string) (string, bool) {
	rest, ok := strings.CutPrefix(s, "<")
	if !ok {
		return "", false
	}
	name, _, ok := strings.Cut(head(rest, 64), ">")
	return name, ok && isTagName(name)
}

func isTagName(s string) bool { return strings.Trim(s, "abcdefghijklmnopqrstuvwxyz-_/") == "" }

// isTyped reports whether a notice is a slash command or bash command that the user typed.
func isTyped(s string) bool {
	name, ok := openingTag(strings.TrimSpace(s))
	return ok && (name == "command-name" || name == "command-message" || name == "bash-input") && commandText(s) != s
}

// isCaveat reports whether a text tells the model to ignore local commands. Claude Code writes this text.
func isCaveat(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasPrefix(s, "<local-command-caveat>") || strings.HasPrefix(s, "Caveat: The messages below were generated")
}

// isOutput reports whether a text is the output of a slash command.
func isOutput(s string) bool {
	return strings.HasPrefix(strings.TrimSpace(s), "<local-command-stdout>")
}

func isInterruption(s string) bool {
	return s == "[Request interrupted by user]" || s == "[Request interrupted by user for tool use]"
}

// fixedGist returns the line for a text of the client that can't be opened, such as "No output", or "".
func fixedGist(text string) string {
	text = strings.TrimSpace(text)
	if isInterruption(text) {
		return "Interrupted by you"
	}
	if name, _ := openingTag(text); !strings.HasPrefix(name, "local-command-std") && !strings.HasPrefix(name, "bash-std") {
		return ""
	}
	if words, whole := untagged(text); whole && isBlank(words) {
		return "No output"
	}
	return ""
}

// gist returns one line for a text of the client, such as the summary of a notification (client 2.1.330).
func gist(text string) string {
	if !strings.HasPrefix(text, "<") {
		return text
	}
	if summary, ok := between(head(text, 1<<10), "<summary>", "</summary>"); ok && !isBlank(summary) {
		return html.UnescapeString(summary)
	}
	if words, _ := untagged(text); !isBlank(words) {
		return words
	}
	return text
}

// untagged returns the start of a text without tags and references. whole reports whether it has read the whole text.
func untagged(text string) (words string, whole bool) {
	rest := head(text, 1<<10)
	whole = len(rest) == len(text)
	var b strings.Builder
	for {
		before, tag, ok := strings.Cut(rest, "<")
		b.WriteString(before)
		if !ok {
			return b.String(), whole
		}
		name, after, ok := strings.Cut(tag, ">")
		switch {
		case ok && isTagName(name):
			b.WriteByte(' ')
			if _, behind, ok := strings.Cut(after, "</"+name+">"); ok && isReference(name) {
				after = behind
			}
			rest = after
		// The text ends inside a tag.
		case strings.HasPrefix(strings.TrimLeft(tag, "abcdefghijklmnopqrstuvwxyz-_/"), "…"):
			rest = strings.TrimLeft(tag, "abcdefghijklmnopqrstuvwxyz-_/")
		default:
			b.WriteByte('<')
			rest = tag
		}
	}
}

// isReference reports whether a tag contains an ID, a path or counts. References aren't shown.
func isReference(name string) bool {
	name = strings.ReplaceAll(name, "_", "-")
	return name == "usage" || strings.HasSuffix(name, "-id") || strings.HasSuffix(name, "-file") || strings.HasSuffix(name, "-path")
}

// commandText returns a slash command or bash command as typed. The client stores commands in tags (client 2.1.330).
// Other texts stay the same.
func commandText(s string) string {
	if name, ok := between(s, "<command-name>", "</command-name>"); ok {
		args, _ := between(s, "<command-args>", "</command-args>")
		return strings.TrimSpace(name + " " + args)
	}
	if cmd, ok := between(s, "<bash-input>", "</bash-input>"); ok {
		return "! " + cmd
	}
	return s
}

// untag removes a tag, such as <local-command-stdout>, that encloses the whole text.
func untag(s string) string {
	t := strings.TrimSpace(s)
	name, ok := between(t, "<", ">")
	if !ok || !strings.HasPrefix(t, "<"+name+">") || strings.ContainsAny(name, " </\n") {
		return s
	}
	t = strings.TrimPrefix(t, "<"+name+">")
	inner, ok := strings.CutSuffix(t, "</"+name+">")
	if ok && !isBlank(inner) && !strings.Contains(inner, "</"+name+">") { // the text is inside this one tag only
		return inner
	}
	return s
}

// unframed returns a text of the client without its tags. Each tag starts a new line.
func unframed(text string) string {
	var texts []string
	for _, f := range transcript.Frames(text) {
		if !isBlank(f.Text) {
			texts = append(texts, strings.TrimSpace(f.Text))
		}
	}
	if len(texts) == 0 {
		return strings.TrimSpace(untag(commandText(text)))
	}
	return strings.Join(texts, "\n")
}

func between(s, open, end string) (string, bool) {
	_, s, ok := strings.Cut(s, open)
	if !ok {
		return "", false
	}
	s, _, ok = strings.Cut(s, end)
	return s, ok
}

// FirstLine returns the start of a message as one line without control characters, for width cells. For a prompt, it
// returns only typed text.
func FirstLine(m *transcript.Message, width int) string {
	text := allText(m)
	if i := slices.IndexFunc(m.Blocks, func(b transcript.Block) bool { return b.Kind == transcript.BlockNotice }); i >= 0 && text == "" {
		head, more := noticeWords(&m.Blocks[i], wholePath)
		text = head + ": " + more
	}
	if m.Kind == transcript.Prompt {
		var own []string
		for i := range m.Blocks {
			if b := &m.Blocks[i]; b.Kind == transcript.BlockText && isSaid(m, b) && !transcript.IsMachine(b.Text) {
				own = append(own, b.Text)
			}
		}
		if len(own) > 0 {
			text = strings.Join(own, "\n")
		} else {
			text = gist(strings.TrimSpace(untag(text)))
		}
	}
	return transcript.CleanLine(head(strings.TrimSpace(commandText(text)), width))
}

// TitleLine returns FirstLine of a message, long enough for a title in any row.
func TitleLine(m *transcript.Message) string {
	const width = 160
	return FirstLine(m, width)
}
