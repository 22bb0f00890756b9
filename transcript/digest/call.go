package digest

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
)

// call takes a tool call with its result.
func (r *reading) call(m *transcript.Message, i int, result *transcript.Block) {
	b := &m.Blocks[i]
	switch {
	case isRefusal(result):
		r.refused(m, i, result)
		return
	case result.Failed && isSkipped(result.Text):
		return
	case result.Failed:
		r.failedCall(m, i, result)
		return
	}
	switch b.Name {
	case "Bash", "PowerShell":
		r.ran(b, result)
	case "Write", "Edit", "MultiEdit", "NotebookEdit":
		file, _ := m.Target(i)
		r.changed(file, b, result)
	case "TodoWrite":
		r.todoWrite(b)
	case "TaskCreate":
		r.taskCreate(b, result)
	case "TaskUpdate":
		r.taskUpdate(b, result)
	case "AskUserQuestion":
		r.asked(b, result)
	case "ExitPlanMode":
		r.planned(b, result)
	case "Task", "Agent":
		r.Agents++
	}
}

// isSkipped reports whether the client did not make a call because another one of the same answer failed (client
// 2.1.330).
func isSkipped(s string) bool {
	s = strings.TrimPrefix(strings.TrimSpace(s), "<tool_use_error>")
	return strings.HasPrefix(s, "Sibling tool call errored") || strings.HasPrefix(s, "Cancelled: parallel tool call")
}

func (r *reading) failedCall(m *transcript.Message, i int, result *transcript.Block) {
	b := &m.Blocks[i]
	shell := b.Name == "Bash" || b.Name == "PowerShell"
	f := Failure{Tool: line(b.Name, 80), About: about(m, i), Text: said(result.Text, shell)}
	if shell {
		r.command(f.About, true, f.Text)
	}
	if b.Name == "Task" || b.Name == "Agent" {
		r.Agents++
	}
	r.failed(f)
}

// said is the sentence of a tool about its failure: its first line. Of a program it is the exit code, or what the
// client says of it (client 2.1.330): what it printed may be anything, files and secrets too.
func said(s string, program bool) string {
	const mark = "<tool_use_error>"
	s = strings.TrimSpace(head(s, 8<<10))
	own := strings.HasPrefix(s, mark) || strings.HasPrefix(s, "Command timed out after ")
	s = firstLine(strings.TrimPrefix(strings.NewReplacer(mark, "", "</tool_use_error>", "").Replace(s), "Error: "))
	if code, ok := strings.CutPrefix(s, "Exit code "); program && !own {
		if !ok || code == "" || strings.Trim(code, "0123456789") != "" {
			return ""
		}
	}
	return line(s, failureRunes)
}

// about names what a call is about: its command, or its file.
func about(m *transcript.Message, i int) string {
	var in struct {
		Command string `json:"command"`
	}
	if json.Unmarshal(m.Blocks[i].Input, &in) == nil && in.Command != "" {
		return line(in.Command, commandRunes)
	}
	file, _ := m.Target(i)
	return line(file, commandRunes)
}

// command counts a command; one that was run before stands where it was.
func (r *reading) command(text string, failed bool, exit string) {
	r.Ran++
	if failed {
		r.RanBadly++
	} else {
		exit = ""
	}
	for _, list := range [][]Command{r.Commands.First, r.Commands.Last} {
		if i := slices.IndexFunc(list, func(c Command) bool { return c.Text == text }); i >= 0 {
			list[i].Times, list[i].Failed, list[i].Exit = list[i].Times+1, failed, exit
			return
		}
	}
	r.Commands.add(commandsFirst, commandsLast, Command{Text: text, Times: 1, Failed: failed, Exit: exit})
}

func (r *reading) ran(b, result *transcript.Block) {
	var in struct {
		Command string `json:"command"`
	}
	_ = json.Unmarshal(b.Input, &in) // of another shape: it says nothing
	r.command(line(in.Command, commandRunes), false, "")
	if !strings.Contains(in.Command, "git") || !strings.Contains(in.Command, "commit") {
		return
	}
	for l := range strings.Lines(head(result.Text, 64<<10)) {
		if c, ok := committed(l); ok {
			r.Commits.add(commitsFirst, commitsLast, c)
		}
	}
}

// committed reads what git commit prints: [main 1a2b3c4] subject, with (root-commit) behind the branch of the first.
func committed(l string) (Commit, bool) {
	where, subject, ok := strings.Cut(strings.TrimSpace(l), "] ")
	branch, hash := "", ""
	if i := strings.LastIndexByte(where, ' '); i > 0 {
		branch, hash = where[:i], where[i+1:]
	}
	ok = ok && strings.HasPrefix(branch, "[") && len(hash) >= 7 && len(hash) <= 64 && strings.Trim(hash, "0123456789abcdef") == ""
	return Commit{Hash: hash, Subject: line(subject, failureRunes)}, ok
}

// changed counts what a call changed in a file.
func (r *reading) changed(path string, b, result *transcript.Block) {
	path = strings.TrimSpace(path)
	clean := transcript.CleanLine(path)
	at, known := r.files[clean]
	switch {
	case clean == "" || len(clean) > pathBytes, !known && len(r.Files) == filesMost:
		r.Elsewhere++
		return
	case !known:
		at = len(r.Files)
		r.files[clean] = at
		r.Files = append(r.Files, File{Path: clean})
	}
	f := &r.Files[at]
	f.Changes++
	f.Created = f.Created || !known && strings.Contains(head(result.Text, 200), "File created successfully")
	added, removed := linesOf(b, result)
	f.Added, f.Removed = f.Added+added, f.Removed+removed
}

// linesOf counts the lines of a change: of the patch that the client kept, else of what the call was told.
func linesOf(b, result *transcript.Block) (added, removed int) {
	for i := range result.Patch {
		for _, l := range result.Patch[i].Lines {
			switch {
			case strings.HasPrefix(l, "+"):
				added++
			case strings.HasPrefix(l, "-"):
				removed++
			}
		}
	}
	if len(result.Patch) > 0 {
		return added, removed
	}
	type edit struct {
		Old string `json:"old_string"`
		New string `json:"new_string"`
	}
	var in struct {
		edit
		Edits   []edit `json:"edits"`
		Content string `json:"content"`
		Source  string `json:"new_source"`
		Mode    string `json:"edit_mode"`
	}
	if json.Unmarshal(b.Input, &in) != nil {
		return 0, 0
	}
	switch b.Name {
	case "Write":
		if strings.Contains(head(result.Text, 200), "File created successfully") { // else what was there is not known
			added = lineCount(in.Content)
		}
	case "NotebookEdit":
		if in.Mode != "delete" {
			added = lineCount(in.Source)
		}
	default:
		for _, e := range append(in.Edits, in.edit) {
			a, d := difference(e.Old, e.New)
			added, removed = added+a, removed+d
		}
	}
	return added, removed
}

// difference counts the lines between what two texts have in common at their ends.
func difference(before, after string) (added, removed int) {
	a, b := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return lineCount(strings.Join(b, "")), lineCount(strings.Join(a, ""))
}
