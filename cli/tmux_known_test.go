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

// listed is a row of list --json.
type listed struct {
	Kind, Path, Name, State string
	Messages, Bytes         int
	Flags                   []string
}

// shownMessage is a message of show --json.
type shownMessage struct {
	Kind, Thread string
	Blocks       []struct {
		Type, Text          string
		ID, Name, ToolUseID string
		Input               struct{ Command string }
	}
}

// known has facts from --json about a conversation. The tests compare the screen with them.
type known struct {
	listed
	filter        string // beginning of the name, unique in the list
	first, second string // beginnings of the first two prompts
	word          string // a word in two or more answers
	command       string // occurs once, with short output
}

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

// rows returns the rows of the first list, in order.
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

// distinct returns the beginning of a name. It returns "" unless these are plain letters that no other row has.
func distinct(r listed, rows []listed) string {
	text := strings.TrimSpace(regexp.MustCompile(`^[A-Z][a-zA-Z -]{14}`).FindString(r.Name))
	for _, other := range rows {
		if other.Path != r.Path && strings.Contains(strings.ToLower(other.Name), strings.ToLower(text)) {
			return ""
		}
	}
	return text
}

// known returns facts about the first conversation that suits the tests.
func (w *world) known(rows []listed) (known, bool) {
	w.t.Helper()
	for _, r := range rows {
		k := known{listed: r, filter: distinct(r, rows)}
		small := r.Messages >= 4 && r.Bytes < 1<<20 // small enough to be read completely
		if r.State == "ok" && len(r.Flags) == 0 && k.filter != "" && small && k.read(w.messages(r.Path)) {
			return k, true
		}
	}
	return known{}, false
}

// messages returns the first thread of a transcript.
func (w *world) messages(path string) []shownMessage {
	w.t.Helper()
	var all []shownMessage
	for _, line := range w.json("show", path) {
		var m shownMessage
		if json.Unmarshal(line, &m) == nil && m.Kind != "" && (len(all) == 0 || m.Thread == all[0].Thread) {
			all = append(all, m)
		}
	}
	return all
}

// read finds two prompts, a word and a command. It reports whether it found all four.
func (k *known) read(messages []shownMessage) bool {
	answers := map[string]int{} // number of answers per word
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

// begins returns the beginning of a prompt; "" if these aren't plain letters.
func (m shownMessage) begins() string {
	if len(m.Blocks) == 0 {
		return ""
	}
	return strings.TrimSpace(regexp.MustCompile(`^[A-Za-z][A-Za-z ,']{7,15}`).FindString(m.Blocks[0].Text))
}

// words returns the long words in an answer, each once.
func (m shownMessage) words() []string {
	var words []string
	for _, b := range m.Blocks {
		if m.Kind == "answer" && b.Type == "text" {
			words = append(words, regexp.MustCompile(`\b[a-z]{7,12}\b`).FindAllString(b.Text, -1)...)
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// plainCommand returns command; "" if it isn't a short line of plain characters.
func plainCommand(command string) string {
	return regexp.MustCompile(`^[a-z][a-z0-9 ./_-]{9,40}$`).FindString(command)
}

// printsLittle reports whether one key expands the whole result of a call.
func printsLittle(messages []shownMessage, call string) bool {
	for _, m := range messages {
		for _, b := range m.Blocks {
			if b.ToolUseID == call {
				return len(b.Text) > 0 && len(b.Text) < 500 && strings.Count(b.Text, "\n") < 6
			}
		}
	}
	return false
}

func once(messages []shownMessage, command string) bool {
	n := 0
	for _, m := range messages {
		for _, b := range m.Blocks {
			n += strings.Count(strings.ToLower(b.Text), command) + strings.Count(strings.ToLower(b.Input.Command), command)
		}
	}
	return n == 1
}
