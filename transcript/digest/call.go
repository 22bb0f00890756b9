package digest

import (
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
)

// Call digests one tool call.
func Call(c *transcript.Call) Digest {
	r := reading{tasks: map[string]int{}, files: map[string]int{}}
	r.call(c)
	return r.Digest
}

// call adds a tool call.
func (r *reading) call(c *transcript.Call) {
	outcome := c.Outcome()
	if c.Kind == transcript.ToolAgent && (outcome == transcript.OutcomeDone || outcome == transcript.OutcomeFailed) {
		r.Agents++
	}
	switch outcome {
	case transcript.OutcomeNone:
		r.Ending = EndOpen
	case transcript.OutcomeDone:
		r.did(c)
	case transcript.OutcomeFailed:
		r.failedCall(c)
	case transcript.OutcomeRejected:
		r.refused(c)
	case transcript.OutcomeSkipped:
	}
}

// did records a successful call.
func (r *reading) did(c *transcript.Call) {
	switch c.Kind {
	case transcript.ToolShell:
		r.ran(c)
	case transcript.ToolWrite, transcript.ToolEdit:
		r.changed(c)
	case transcript.ToolTodos:
		r.todoWrite(c)
	case transcript.ToolTaskNew:
		r.taskCreate(c)
	case transcript.ToolTaskChange:
		r.taskUpdate(c)
	case transcript.ToolQuestions:
		r.asked(c)
	case transcript.ToolPlan:
		r.planned(c)
	default: // other calls change nothing
	}
}

func (r *reading) failedCall(c *transcript.Call) {
	f := Failure{Tool: line(c.Name, 80), About: about(c), Text: failureText(c)}
	if c.Kind == transcript.ToolShell {
		r.command(f.About, true, f.Text)
	}
	r.failed(f)
}

// failureText returns the first line of a failed result. For a shell command, it returns the exit code or a message
// of the client (2.1.330). The output may contain secrets.
func failureText(c *transcript.Call) string {
	s, own := c.Result.Unmarked()
	s = head(strings.TrimSpace(s), 8<<10)
	own = own || strings.HasPrefix(s, "Command timed out after ")
	s = firstLine(strings.TrimPrefix(s, "Error: "))
	if code, ok := strings.CutPrefix(s, "Exit code "); c.Kind == transcript.ToolShell && !own {
		if !ok || code == "" || strings.Trim(code, "0123456789") != "" {
			return ""
		}
	}
	return line(s, failureRunes)
}

// about returns the command or the file of a call.
func about(c *transcript.Call) string {
	if command := c.Params.String("command"); command != "" {
		return line(command, commandRunes)
	}
	file, _ := c.File()
	return line(file, commandRunes)
}

// command adds a command to the list, or updates its entry.
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

func (r *reading) ran(c *transcript.Call) {
	command := c.Params.String("command")
	r.command(line(command, commandRunes), false, "")
	if !strings.Contains(command, "git") || !strings.Contains(command, "commit") {
		return
	}
	for l := range strings.Lines(head(c.Result.Text, 64<<10)) {
		if commit, ok := committed(l); ok {
			r.Commits.add(commitsFirst, commitsLast, commit)
		}
	}
}

// committed parses a line of git commit, such as [main 1a2b3c4] subject. It may have "(root-commit)" after the
// branch.
func committed(l string) (Commit, bool) {
	where, subject, ok := strings.Cut(strings.TrimSpace(l), "] ")
	branch, hash := "", ""
	if i := strings.LastIndexByte(where, ' '); i > 0 {
		branch, hash = where[:i], where[i+1:]
	}
	ok = ok && strings.HasPrefix(branch, "[") && len(hash) >= 7 && len(hash) <= 64 && strings.Trim(hash, "0123456789abcdef") == ""
	return Commit{Hash: hash, Subject: line(subject, failureRunes)}, ok
}

// changed counts the changes of a call in a file. Without a patch, the lines of an overwritten file aren't counted.
func (r *reading) changed(c *transcript.Call) {
	path, _ := c.File()
	clean := transcript.CleanLine(strings.TrimSpace(path))
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
	created := strings.Contains(head(c.Result.Text, 200), "File created successfully")
	f.Created = f.Created || !known && created
	if diff := c.Diff(); c.Kind != transcript.ToolWrite || created || len(diff.Hunks) > 0 {
		added, removed, _ := diff.Count()
		f.Added, f.Removed = f.Added+added, f.Removed+removed
	}
}
