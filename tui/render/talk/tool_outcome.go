package talk

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// outcome returns the outcome of a call in a few words. A narrow line shows only the first span.
func (c *toolCall) outcome(o *Options) []render.Span {
	width := o.Width
	switch c.Outcome() {
	case transcript.OutcomeNone:
		if o.Live {
			return []render.Span{{Ink: render.Faint, Text: "no result yet"}}
		}
		return []render.Span{{Ink: render.Faint, Text: "no result"}}
	case transcript.OutcomeSkipped:
		return []render.Span{{Ink: render.Faint, Text: "skipped"}}
	case transcript.OutcomeRejected, transcript.OutcomeFailed:
		if c.Result.Denied != "" {
			return resultSpans(c.Result)
		}
		if d := c.Details(); d.End != nil {
			return c.inBackground(&d, width)
		}
		return c.failure()
	case transcript.OutcomeDone:
	}
	d := c.Details()
	switch c.Kind {
	case transcript.ToolWatch, transcript.ToolWorkflow:
		return c.inBackground(&d, width)
	default:
		switch {
		case d.Background:
			return c.inBackground(&d, width)
		case c.change.Changes():
			return c.change.spans()
		}
	}
	return c.success(&d, width)
}

// inBackground returns how work in the background ended, as its notification says.
func (c *toolCall) inBackground(d *transcript.Details, width int) []render.Span {
	if d.End == nil {
		return []render.Span{{Ink: render.Muted, Text: "running in background"}}
	}
	var facts []string
	if d.End.Exited {
		facts = append(facts, "exit "+strconv.Itoa(d.End.Exit))
	}
	if took := words.Duration(d.End.Took); took != "" {
		facts = append(facts, took)
	}
	switch d.End.Status {
	case "completed":
		if c.Kind == transcript.ToolAgent {
			agent := *d
			agent.Calls, agent.Tokens, c.Took = d.End.Calls, d.End.Tokens, d.End.Took
			return c.agent(&agent, width)
		}
		return done(append([]string{"finished"}, facts...)...)
	case "failed":
		return append([]render.Span{{Ink: render.Bad, Text: "✗ failed"}}, dotted(strings.Join(facts, " · "))...)
	}
	return append([]render.Span{{Ink: render.Muted, Text: transcript.CleanLine(head(d.End.Status, 24))}}, dotted(strings.Join(facts, " · "))...)
}

// failure returns why a call failed, such as "exit 1" or "timed out".
func (c *toolCall) failure() []render.Span {
	d, why := c.Details(), "failed"
	text := strings.TrimSpace(c.Result.Text)
	code, exited := c.Exit()
	switch {
	case d.Interrupted || strings.HasPrefix(text, "[Request interrupted") || strings.HasPrefix(text, "[Tool call interrupted"):
		why = "interrupted"
	case d.TimedOut > 0 || strings.HasPrefix(text, "Command timed out"):
		why = "timed out"
	case exited && code != 0:
		why = "exit " + strconv.Itoa(code)
	}
	return append([]render.Span{{Ink: render.Bad, Text: "✗ " + why}}, dotted(c.took())...)
}

// exitLine returns the line "Exit code 1" above the output of a failed command. It returns "" without output.
func (c *toolCall) exitLine() string {
	code, exited := c.Exit()
	line := "Exit code " + strconv.Itoa(code) + "\n"
	if c.Kind != transcript.ToolShell || !exited || isBlank(strings.TrimPrefix(c.Result.Text, line)) {
		return ""
	}
	return line
}

// took returns the duration of a call. Below a second, and for tools that wait for the user, it returns "".
func (c *toolCall) took() string {
	switch c.Kind {
	case transcript.ToolShell, transcript.ToolFetch, transcript.ToolWeb, transcript.ToolMCP, transcript.ToolAgent,
		transcript.ToolAdvice, transcript.ToolOther:
	default:
		return ""
	}
	switch {
	case c.Took < time.Second:
		return ""
	case c.Took < time.Minute && c.Kind == transcript.ToolShell:
		return strconv.FormatFloat(c.Took.Truncate(100*time.Millisecond).Seconds(), 'f', 1, 64) + " s"
	}
	return words.Duration(c.Took)
}

// success returns the outcome of a call that succeeded.
func (c *toolCall) success(d *transcript.Details, width int) []render.Span {
	switch c.Kind {
	case transcript.ToolShell:
		switch {
		case d.Interrupted:
			return []render.Span{{Ink: render.Warn, Text: "✗ interrupted"}}
		case d.Meaning != "":
			return done(strings.ToLower(transcript.CleanLine(head(d.Meaning, 40))), c.took())
		case c.took() != "":
			return done(c.took())
		}
	case transcript.ToolRead:
		if text := c.extent(d); text != "" {
			return []render.Span{{Ink: render.Faint, Text: text}}
		}
	case transcript.ToolSearch:
		if found, ok := c.Found(); ok {
			return []render.Span{{Ink: render.Faint, Text: foundWords(found)}}
		}
	case transcript.ToolFetch, transcript.ToolWeb, transcript.ToolCode, transcript.ToolTools:
		if spans := c.fetched(d); spans != nil {
			return spans
		}
	case transcript.ToolAgent:
		return c.agent(d, width)
	default:
		if spans := c.tasked(d, width); len(spans) > 0 {
			return spans
		}
		if took := c.took(); took != "" {
			return done(took)
		}
	}
	return resultSpans(c.Result)
}

// fetched returns the size of a web page, or the number of results of a web search.
func (c *toolCall) fetched(d *transcript.Details) []render.Span {
	switch c.Kind {
	case transcript.ToolFetch:
		if d.HTTP >= 400 {
			return []render.Span{{Ink: render.Bad, Text: strings.TrimSpace("✗ " + strconv.Itoa(d.HTTP) + " " + strings.ToLower(transcript.CleanLine(head(d.HTTPText, 40))))}}
		}
		if d.Bytes > 0 {
			return done(words.Size(d.Bytes), c.took())
		}
	case transcript.ToolWeb:
		if n, ok := c.pages(d); ok {
			return done(words.Counted(n, "result", "results"), c.took())
		}
	case transcript.ToolCode:
		if d.Counted {
			return done(words.Counted(d.Matches, "result", "results") + inFiles(d.Files))
		}
	case transcript.ToolTools:
		if d.Counted {
			return done(words.Counted(d.Matches, "tool", "tools"))
		}
	default:
	}
	return nil
}

// tasked returns the outcome of a call that concerns a task, a question, a plan or another session.
func (c *toolCall) tasked(d *transcript.Details, width int) []render.Span {
	switch c.Kind {
	case transcript.ToolTaskNew:
		if d.Task != "" {
			return []render.Span{todoGlyph("pending"), {Ink: render.Faint, Text: " task " + transcript.CleanLine(head(d.Task, 16))}}
		}
	case transcript.ToolTaskChange:
		return c.taskChange()
	case transcript.ToolTasks:
		if d.Tasks > 0 {
			return done(strconv.Itoa(d.Done) + " of " + strconv.Itoa(d.Tasks) + " done")
		}
		return statusSpans(d.Status)
	case transcript.ToolQuestions:
		return c.answered(width)
	case transcript.ToolPlan:
		return done("approved")
	case transcript.ToolOutput:
		return c.output(d)
	case transcript.ToolStop:
		return done("stopped")
	case transcript.ToolMessage:
		return done("sent")
	case transcript.ToolSkill:
		if strings.HasPrefix(c.Result.Text, "Launching skill") {
			return done("loaded")
		}
		return done()
	case transcript.ToolWait:
		if d.Delay == 0 {
			return done()
		}
		return []render.Span{{Ink: render.Muted, Text: "in " + words.Duration(d.Delay)}}
	case transcript.ToolTodos, transcript.ToolStructured:
		return done()
	case transcript.ToolKnown:
		if d.Counted {
			return done(words.Counted(d.Matches, "finding", "findings"))
		}
		if !strings.Contains(trimLines(c.Result.Text), "\n") {
			return done()
		}
	default:
	}
	return nil
}

// taskChange returns the new status of a task.
func (c *toolCall) taskChange() []render.Span {
	if status := c.Params.String("status"); status != "" {
		return statusSpans(status)
	}
	return done("changed")
}

// statusSpans returns the status of a task, with the glyph that the list of tasks uses.
func statusSpans(status string) []render.Span {
	glyph := todoGlyph(status)
	status = strings.ReplaceAll(transcript.CleanLine(head(status, 24)), "_", " ")
	switch status {
	case "":
		return nil
	case "completed", "in progress", "pending":
		return []render.Span{glyph, {Ink: render.Faint, Text: " " + status}}
	}
	return []render.Span{{Ink: render.Muted, Text: status}}
}

// answered returns the answers of the user.
func (c *toolCall) answered(width int) []render.Span {
	var answers []string
	for _, q := range c.Questions() {
		if q.Answered {
			answers = append(answers, transcript.CleanLine(head(q.Answer, width)))
		}
	}
	if len(answers) == 0 {
		return []render.Span{{Ink: render.Muted, Text: "no answer"}}
	}
	return []render.Span{{Ink: render.Accent, Text: "❯"}, {Ink: render.Muted, Text: " " + words.Cut(strings.Join(answers, ", "), max(width/3, 8))}}
}

// output returns the status of the background task that the call has read.
func (c *toolCall) output(d *transcript.Details) []render.Span {
	status := d.Status
	if status == "" {
		status, _ = between(head(c.Result.Text, 256), "<status>", "</status>")
	}
	code, exited := c.Exit()
	switch {
	case exited && code != 0, status == "failed":
		why := "failed"
		if exited {
			why = "exit " + strconv.Itoa(code)
		}
		return []render.Span{{Ink: render.Bad, Text: "✗ " + why}}
	case status == "running":
		status = "still running"
	}
	return statusSpans(status)
}

// agent returns the type of a sub-agent, its calls, its tokens and its duration.
func (c *toolCall) agent(d *transcript.Details, width int) []render.Span {
	var parts []string
	if width >= workFrom {
		parts = append(parts, agentType(&c.Call, d))
	}
	if d.Calls > 0 {
		parts = append(parts, words.Counted(d.Calls, "call", "calls"))
	}
	if d.Tokens > 0 && width >= workFrom {
		parts = append(parts, render.Tokens(d.Tokens)+" tokens")
	}
	return done(append(parts, c.took())...)
}

// agentType returns the type of a sub-agent, "" if it is unknown.
func agentType(c *transcript.Call, d *transcript.Details) string {
	name := d.Agent
	if name == "" {
		name = c.Params.String("subagent_type")
	}
	return transcript.CleanLine(head(name, 24))
}

// AgentFacts returns facts about the sub-agent of a call: its type, tokens and duration, and whether it has ended.
func AgentFacts(c *transcript.Call) (kind string, tokens int64, took time.Duration, ended bool) {
	d := c.Details()
	tokens, took, ended = d.Tokens, c.Took, c.Result != nil && !d.Background
	if d.End != nil {
		tokens, took, ended = d.End.Tokens, d.End.Took, d.End.Status == "completed"
	}
	return agentType(c, &d), tokens, took, ended
}

// extent returns the range of lines that a Read returned, such as "1–120".
func (c *toolCall) extent(d *transcript.Details) string {
	switch {
	case d.Type == "file_unchanged":
		return "unchanged"
	case d.Type != "" && d.Type != "text":
		kind := transcript.CleanLine(head(d.Type, 16))
		if d.Bytes > 0 {
			kind += " · " + words.Size(d.Bytes)
		}
		return kind
	case d.First > 0 && d.Lines > 0:
		return lineRange(d.First, d.First+d.Lines-1)
	}
	text := trimLines(c.Result.Text)
	first, last := 0, 0
	for line := range strings.Lines(text) {
		if number, _, ok := cutLineNumber(line); ok {
			last, _ = strconv.Atoi(number)
			if first == 0 {
				first = last
			}
		}
	}
	if first == 0 {
		return ""
	}
	return lineRange(first, last)
}

func lineRange(first, last int) string {
	if last <= first {
		return strconv.Itoa(first)
	}
	return strconv.Itoa(first) + "–" + strconv.Itoa(last)
}

// pages returns the number of pages that a web search found.
func (c *toolCall) pages(d *transcript.Details) (int, bool) {
	if d.Counted {
		return d.Matches, true
	}
	_, links, ok := strings.Cut(c.Result.Text, "\nLinks: [")
	return strings.Count(links, `"url":"`), ok
}

// foundWords returns what a search found, such as "12 matches in 4 files".
func foundWords(f transcript.Found) string {
	units := map[string]string{"match": "matches", "entry": "entries"}
	many := units[f.Unit]
	if many == "" {
		many = f.Unit + "s"
	}
	if f.Count == 0 {
		return "no " + many
	}
	text := words.Counted(f.Count, f.Unit, many) + inFiles(f.Files)
	if f.More {
		text = "first " + text
	}
	return text
}

func inFiles(n int) string {
	if n == 0 {
		return ""
	}
	return " in " + words.Counted(n, "file", "files")
}

// done returns the glyph for success and the parts, joined by " · ".
func done(parts ...string) []render.Span {
	var said []string
	for _, part := range parts {
		if part != "" {
			said = append(said, part)
		}
	}
	spans := []render.Span{{Ink: render.Good, Text: "✓"}}
	if len(said) > 0 {
		spans = append(spans, render.Span{Ink: render.Faint, Text: " " + strings.Join(said, " · ")})
	}
	return spans
}

func dotted(text string) []render.Span {
	if text == "" {
		return nil
	}
	return []render.Span{{Ink: render.Faint, Text: " · " + text}}
}

// agentAnswer returns the answer of a sub-agent as markdown. It returns "" while the sub-agent works in the background.
func (c *toolCall) agentAnswer() string {
	d := c.Details()
	switch {
	case d.End != nil:
		return strings.TrimSpace(d.End.Text)
	case d.Background:
		return ""
	}
	text, _ := c.Result.Unmarked()
	return text
}

// agentLine returns the first line of prose in the answer of a sub-agent, or "".
func (c *toolCall) agentLine() string {
	if c.Kind != transcript.ToolAgent || c.Outcome() != transcript.OutcomeDone {
		return ""
	}
	for line := range strings.Lines(head(c.agentAnswer(), 2000)) {
		line = transcript.CleanLine(line)
		if strings.ContainsFunc(line, unicode.IsLetter) && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "```") {
			return line
		}
	}
	return ""
}

// errorLine returns the line of a failed result that says most: the last line of a command's output, or the first line
// of another result. It skips JSON and lines of the client. It returns "" if there is none.
func (c *toolCall) errorLine(width int) string {
	if c.Outcome() != transcript.OutcomeFailed || c.Result.Denied != "" || c.Details().End != nil {
		return ""
	}
	const most = 4 << 10 // maximum bytes of the result
	text, _ := c.Result.Unmarked()
	if text = strings.TrimSpace(text); c.Kind == transcript.ToolShell && strings.Contains(text, "\n") {
		text = text[max(len(text)-most, 0):]
	} else {
		text = text[:min(len(text), most)]
	}
	lines := strings.Split(strings.ToValidUTF8(text, ""), "\n")
	for i := range lines {
		l := lines[i]
		if c.Kind == transcript.ToolShell {
			l = lines[len(lines)-1-i]
		}
		l = strings.TrimSpace(untag(l))
		isCode := strings.HasPrefix(l, "Exit code ") && strings.Trim(l[len("Exit code "):], "0123456789") == ""
		if l = transcript.CleanLine(head(l, width)); l != "" && !isCode && !strings.Contains(l, `{"`) && strings.Trim(l, "{}[]()<>-=_ ,;") != "" {
			return l
		}
	}
	return ""
}
