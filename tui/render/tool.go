package render

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/transcript"
)

// fold draws a folded line: ▸ verb   target        right.
func (p *page) fold(verb string, target, right []Span) {
	p.before(Folded)
	l := p.line().To(p.text()).Put(Faint, "▸ ")
	end := p.o.Width
	if w := SpansWidth(right); w > 0 {
		if end-w-2 < l.at+targetFrom { // no room for the figures: they go first
			right = right[:1]
			w = SpansWidth(right)
		}
		end -= w + 2
	}
	l.PutUntil(Muted, verb, end)
	if len(target) > 0 {
		l.To(max(p.text()+targetFrom, l.at+2))
	}
	for _, s := range target {
		l.PutUntil(s.Ink, s.Text, end)
	}
	l.Right(p.o.Width, right...)
	p.lines = append(p.lines, l.String())
}

// foldFaint draws a folded line that is only words.
func (p *page) foldFaint(text string) {
	p.before(Folded)
	p.lines = append(p.lines, p.line().To(p.text()).Put(Faint, "▸ "+text).String())
}

// call draws a tool call and, at the right, what became of it.
func (p *page) call(m *transcript.Message, b *transcript.Block) {
	right := []Span{{Faint, "…"}} // no result yet
	for i := range m.Blocks {
		if r := &m.Blocks[i]; r.Kind == transcript.BlockToolResult && r.CallID == b.ID {
			right = resultSpans(r)
			break
		}
	}
	verb := transcript.CleanLine(b.Name)
	if verb == "" {
		verb = "Tool"
	}
	verb = Cut(verb, max(p.o.Width/2, 1))
	key, value := toolTarget(b.Input)
	text := transcript.CleanLine(head(value, p.o.Width))
	if strings.Contains(key, "path") {
		from := max(targetFrom, ansi.StringWidth(verb)+4)
		text = CutMiddle(p.relative(text), p.o.Width-p.text()-from-SpansWidth(right)-2)
	}
	p.fold(verb, []Span{{Muted, text}}, right)
}

// relative shortens a path below the session's directory or the home directory.
func (p *page) relative(s string) string {
	if dir := strings.TrimSuffix(p.o.Dir, "/"); dir != "" {
		if rest, ok := strings.CutPrefix(s, dir+"/"); ok && rest != "" {
			return rest
		}
	}
	return Folder(s, p.o.Home)
}

// resultSpans says in one glyph how a call ended and counts what it gave back. The glyph comes first: it is
// what stays when there is no room.
func resultSpans(r *transcript.Block) []Span {
	spans := []Span{{Good, "✓"}}
	if r.Failed {
		spans[0] = Span{Bad, "✗"}
	}
	switch text := strings.TrimRight(r.Text, "\n"); {
	case r.Bytes > 0:
		return append(spans, Span{Faint, " " + Size(r.Bytes)})
	case text != "":
		return append(spans, Span{Faint, " " + Counted(strings.Count(text, "\n")+1, "line", "lines")})
	}
	return spans
}

func sizeSpans(n int64) []Span {
	if n <= 0 {
		return nil
	}
	return []Span{{Faint, Size(n)}}
}

func (p *page) media(b *transcript.Block) {
	verb := firstUpper(string(b.Kind))
	var target []Span
	if t := transcript.CleanLine(b.Media); t != "" {
		target = []Span{{Muted, t}}
	}
	p.fold(verb, target, sizeSpans(b.Bytes))
}

// unknownType is the type that the file gives a block which is not known here.
func unknownType(b *transcript.Block) string {
	if b.Name != "" {
		return transcript.CleanLine(b.Name)
	}
	var t struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(b.Raw, &t); err != nil || t.Type == "" {
		return "without a type"
	}
	return transcript.CleanLine(t.Type)
}

// targetKeys are the parameters that say what a tool call is about, the most telling first (tools of client
// 2.1.329).
func targetKeys() []string {
	return []string{
		"command", "file_path", "notebook_path", "pattern", "path", "description", "query", "url", "skill",
		"subject", "prompt", "question", "task_id", "shell_id", "bash_id", "name", "id",
	}
}

// toolTarget picks what one line can say of a call's input, and the parameter it is from. An input of another
// shape is shown as its JSON.
func toolTarget(input json.RawMessage) (key, value string) {
	var params map[string]json.RawMessage
	if err := json.Unmarshal(input, &params); err != nil {
		return "", string(head(string(input), 256))
	}
	for _, key := range targetKeys() {
		var s string
		if raw, ok := params[key]; ok && json.Unmarshal(raw, &s) == nil && !isBlank(s) {
			return key, s
		}
	}
	if len(params) == 0 {
		return "", ""
	}
	var compact bytes.Buffer
	if json.Compact(&compact, input) != nil {
		return "", string(input)
	}
	return "", compact.String()
}

// commandText writes a slash or bash command the way it was typed. The client keeps them as tags
// (client 2.1.329); any other text is returned as it is.
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

// untag drops a tag that wraps the whole text, such as <local-command-stdout>.
func untag(s string) string {
	t := strings.TrimSpace(s)
	name, ok := between(t, "<", ">")
	if !ok || !strings.HasPrefix(t, "<"+name+">") || strings.ContainsAny(name, " </\n") {
		return s
	}
	t = strings.TrimPrefix(t, "<"+name+">")
	if inner, ok := strings.CutSuffix(t, "</"+name+">"); ok && !isBlank(inner) {
		return inner
	}
	return s
}

func between(s, open, end string) (string, bool) {
	_, s, ok := strings.Cut(s, open)
	if !ok {
		return "", false
	}
	s, _, ok = strings.Cut(s, end)
	return s, ok
}

func firstUpper(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 || r == utf8.RuneError {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}
