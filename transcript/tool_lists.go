package transcript

import (
	"strings"

	"github.com/continuo-tui/continuo/transcript/grep"
)

// Todo is an entry of the list in a TodoWrite call (clients 1.0.24 to 2.1.330).
type Todo struct {
	Content  string `json:"content"`
	Status   string `json:"status"`   // pending, in_progress or completed; may be another word
	Priority string `json:"priority"` // high, medium, low; "" if none
}

// Todos returns the new list of todos in a call. ok is false for other calls and formats.
func (c *Call) Todos() (todos []Todo, ok bool) {
	if c.Kind != ToolTodos || !c.Params.decode("todos", &todos) {
		return nil, false
	}
	return todos, true
}

// Question is a question that the call asks the user, with the answer (client 2.1.330).
type Question struct {
	Text    string   `json:"question"`
	Options []Option `json:"options"`
	Multi   bool     `json:"multiSelect"` // several options may be chosen

	Answered bool   `json:"-"`
	Answer   string `json:"-"`
	Notes    string `json:"-"` // added by the user, "" if none
}

// Option is an answer that a question offers.
type Option struct {
	Label       string `json:"label"`
	Description string `json:"description"`
}

// Questions returns the questions in the call; nil for other calls and formats.
func (c *Call) Questions() []Question {
	var asked []Question
	if c.Kind != ToolQuestions || !c.Params.decode("questions", &asked) {
		return nil
	}
	if c.Outcome() == OutcomeDone {
		answer(asked, c.Result.Text)
	}
	return asked
}

// answer sets the answers from a result of the form "question"="answer", "question"="answer". Notes of the user may
// follow an answer. An answer ends only at the next question, because it can contain any text.
func answer(asked []Question, result string) {
	const most = 8 // maximum number of questions; the client asks at most 4
	asked = asked[:min(len(asked), most)]
	for i := range asked {
		q := &asked[i]
		_, rest, ok := strings.Cut(result, `"`+q.Text+`"="`)
		if !ok || q.Text == "" {
			continue
		}
		for k := range asked {
			if k != i {
				rest, _, _ = strings.Cut(rest, `, "`+asked[k].Text+`"="`)
			}
		}
		if at := strings.LastIndex(rest, ". You can now continue with"); at >= 0 {
			rest = rest[:at]
		}
		q.Answered = true
		q.Answer, q.Notes, _ = strings.Cut(strings.TrimSuffix(rest, `"`), `" user notes: `)
	}
}

// Found is the result of a search.
type Found struct {
	Count int    // matches, files, entries or lines
	Unit  string // match, file, entry or line
	Files int    // number of files with matches; 0 if unknown
	More  bool   // the tool reached a limit
}

// Found returns the result of a search. ok is false for other calls, or without a count.
func (c *Call) Found() (Found, bool) {
	if c.Kind != ToolSearch || c.Result == nil || c.Result.Failed {
		return Found{}, false
	}
	d, text := &c.Result.details, strings.TrimSpace(c.Result.Text)
	f := Found{Unit: toolOf(c.Name).unit, More: d.More}
	mode := d.Mode
	if mode == "" {
		mode = c.Params.String("output_mode")
	}
	if first, _, _ := strings.Cut(text, "\n"); mode == "" && f.Unit == "match" {
		if _, match := grep.Line(first, true); match { // toolUseResult has no count
			mode = "content"
		}
	}
	switch {
	case strings.HasPrefix(text, "No files found"), strings.HasPrefix(text, "No matches found"), text == "":
	case f.Unit == "match" && mode == "content":
		return c.matches(f, text)
	case f.Unit == "match" && mode == "count":
		f.Count, f.Files = d.Matches, d.Files
		return f, d.Counted
	case f.Unit == "entry":
		for l := range strings.Lines(text) {
			if strings.HasPrefix(strings.TrimLeft(l, " "), "- ") {
				f.Count++
			}
		}
		f.Count = max(f.Count-1, 0) // the first entry is the directory itself
	case d.Counted:
		f.Count, f.Unit = d.Files, "file"
	default:
		if strings.HasPrefix(text, "Found ") {
			_, text, _ = strings.Cut(text, "\n")
		}
		f.Count, f.Unit = strings.Count(text, "\n")+1, "file"
	}
	return f, true
}

// matches counts the matching lines in the output of a search.
func (c *Call) matches(f Found, text string) (Found, bool) {
	around := false
	for _, key := range [...]string{"-A", "-B", "-C", "context"} {
		around = around || c.Params.Named(key) != nil
	}
	text, _, _ = strings.Cut(text, "\n\n[Showing results")
	files, lines := map[string]bool{}, 0
	for l := range strings.Lines(text) {
		lines++
		path, match := grep.Line(l, around)
		if !match {
			continue
		}
		f.Count++
		if path != "" {
			files[path] = true
		}
	}
	f.Files = len(files)
	if f.Count == 0 {
		f.Count, f.Unit = lines, "line"
	}
	return f, true
}
