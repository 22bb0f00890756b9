//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
)

// listed is a row of list --json, as far as a story needs it.
type listed struct {
	Kind, Path, Name, State string
	Messages, Bytes         int
	Flags                   []string
}

// said is a message of show --json, as far as a story needs it.
type said struct {
	Kind, Thread string
	Blocks       []struct {
		Type, Text          string
		ID, Name, ToolUseID string
		Input               struct{ Command string }
	}
}

// known is what a story knows of a conversation before it looks at the screen, from the program's own JSON.
type known struct {
	listed
	filter        string // the beginning of its name, which no other row has
	first, second string // the beginnings of its first two prompts; the first one begins the conversation
	word          string // that more than one answer has
	command       string // that was run in it, printed little, and is nowhere else
}

// json runs a command of the program and returns its lines.
func (w *world) json(args ...string) [][]byte {
	w.t.Helper()
	var stdout, stderr bytes.Buffer
	d := newDeps(Program{
		Env: []string{"HOME=" + w.home}, Dir: w.in("here"), Now: now, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
	})
	if code := execute(w.t.Context(), d.Env, d.Output, append(args, "--json")); code != out.ExitDone {
		w.t.Fatalf("%q: exit code %d, %s", args, code, stderr.String())
	}
	return bytes.Split(bytes.TrimSpace(stdout.Bytes()), []byte("\n"))
}

// rows are those that the browser lists when it starts, in their order.
func (w *world) rows() []listed {
	w.t.Helper()
	var all []listed
	if err := json.Unmarshal(bytes.Join(w.json("list", "--all"), nil), &all); err != nil {
		w.t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(r listed) bool {
		return r.Kind != "session" || r.State == "stub" || r.State == "empty" || slices.Contains(r.Flags, "sdk")
	})
}

// distinct returns the beginning of a name when it is of plain letters and no other row has it; else "".
func distinct(r listed, rows []listed) string {
	text := strings.TrimSpace(regexp.MustCompile(`^[A-Z][a-zA-Z -]{14}`).FindString(r.Name))
	for _, other := range rows {
		if other.Path != r.Path && strings.Contains(strings.ToLower(other.Name), strings.ToLower(text)) {
			return ""
		}
	}
	return text
}

// known picks the first conversation that has all that a story needs; false when there is none.
func (w *world) known(rows []listed) (known, bool) {
	w.t.Helper()
	for _, r := range rows {
		k := known{listed: r, filter: distinct(r, rows)}
		small := r.Messages >= 4 && r.Bytes < 1<<20 // that is read here whole
		if r.State == "ok" && len(r.Flags) == 0 && k.filter != "" && small && k.read(w.messages(r.Path)) {
			return k, true
		}
	}
	return known{}, false
}

// messages are those of a transcript that belong to the thread of the first one.
func (w *world) messages(path string) []said {
	w.t.Helper()
	var all []said
	for _, line := range w.json("show", path) {
		var m said
		if json.Unmarshal(line, &m) == nil && m.Kind != "" && (len(all) == 0 || m.Thread == all[0].Thread) {
			all = append(all, m)
		}
	}
	return all
}

// read picks prompts, a word and a command, and reports whether there are all of them.
func (k *known) read(messages []said) bool {
	answers := map[string]int{} // how many have a word
	var prompts []string
	for _, m := range messages {
		if m.Kind == "prompt" {
			prompts = append(prompts, m.begins())
		}
		for _, word := range m.words() {
			if answers[word]++; answers[word] == 2 && k.word == "" {
				k.word = word
			}
		}
		for _, b := range m.Blocks {
			if command := plainCommand(b.Input.Command); k.command == "" && command != "" && printsLittle(messages, b.ID) && once(messages, command) {
				k.command = command
			}
		}
	}
	if len(prompts) < 2 || messages[0].Kind != "prompt" {
		return false
	}
	k.first, k.second = prompts[0], prompts[1]
	return k.first != "" && k.second != "" && k.first != k.second && k.word != "" && k.command != ""
}

// begins is how a prompt of plain letters begins, else "".
func (m said) begins() string {
	if len(m.Blocks) == 0 {
		return ""
	}
	return strings.TrimSpace(regexp.MustCompile(`^[A-Za-z][A-Za-z ,']{7,15}`).FindString(m.Blocks[0].Text))
}

// words are the long words that an answer has in its text, each once.
func (m said) words() []string {
	var words []string
	for _, b := range m.Blocks {
		if m.Kind == "answer" && b.Type == "text" {
			words = append(words, regexp.MustCompile(`\b[a-z]{7,12}\b`).FindAllString(b.Text, -1)...)
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// plainCommand is a command of one short plain line, else "".
func plainCommand(command string) string {
	return regexp.MustCompile(`^[a-z][a-z0-9 ./_-]{9,40}$`).FindString(command)
}

// printsLittle reports whether a call gave back a few lines: those open at once, and need no second key.
func printsLittle(messages []said, call string) bool {
	for _, m := range messages {
		for _, b := range m.Blocks {
			if b.ToolUseID == call {
				return len(b.Text) > 0 && len(b.Text) < 500 && strings.Count(b.Text, "\n") < 6
			}
		}
	}
	return false
}

// once reports whether a command is said once in a conversation.
func once(messages []said, command string) bool {
	n := 0
	for _, m := range messages {
		for _, b := range m.Blocks {
			n += strings.Count(strings.ToLower(b.Text), command) + strings.Count(strings.ToLower(b.Input.Command), command)
		}
	}
	return n == 1
}
