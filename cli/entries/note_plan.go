package entries

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/transcript"
)

// NotePlan returns the plan of an entry, with its lines.
func NotePlan(env *place.Env, n *Noting) []change.Part {
	p := &writing.Plan{}
	if n.Bead {
		p.Add("Touched", change.Line{Text: "1 comment of bead " + transcript.CleanLine(n.Entry.Bead) + ", by " + n.program.Name},
			change.Line{Tone: change.Muted, Text: env.Tilde(n.project.Beads), Whole: true})
	} else {
		touched := []change.Line{{Text: n.where()}, {Tone: change.Muted, Text: env.Tilde(n.project.Notes), Whole: true}}
		if n.Entry.Kind == notes.EntryHandoff {
			touched = slices.Insert(touched, 1, change.Line{Text: "and the Last Checkpoint there"})
		}
		p.Add("Touched", touched...)
	}
	p.Add("Text", n.Lines()...)
	if n.was != "" {
		var was []change.Line
		for line := range strings.SplitSeq(transcript.Clean(n.was), "\n") {
			was = append(was, change.Line{Tone: change.Code, Text: line})
		}
		p.Add("Replaces", was...)
	}
	var but []change.Line
	for _, s := range n.but {
		but = append(but, writing.Warning(s))
	}
	for i := range n.left {
		but = append(but, writing.Warning(transcript.CleanLine(n.left[i].Ref.Raw)+" is "+n.left[i].Why+"; spec 002 requires ${PROJECT_ROOT}/path:line"))
	}
	if n.Entry.Kind == notes.EntryDecision {
		if len(n.Entry.Evidence) == 0 {
			but = append(but, writing.Warning("no evidence in the code (spec 002 requires it for a decision)"))
		}
		if least := n.project.Config.Checkpoint.MinTestScenarios; n.project.Config.Checkpoint.EDD && len(n.Entry.Scenarios) < least {
			ways := "no test scenario"
			if len(n.Entry.Scenarios) > 0 {
				ways = out.Count(len(n.Entry.Scenarios), "test scenario")
			}
			text := "it names " + ways + "; spec 002 requires " + words.Count(least) + " before the task is closed"
			but = append(but, change.Line{Mark: change.Note, Text: text})
		}
	}
	p.Add("But", but...)
	var stays []change.Line
	for i := range n.Entry.Evidence {
		e := &n.Entry.Evidence[i]
		text := " has the quote, word for word"
		if n.Entry.Kind == notes.EntryReference {
			text = " exists"
		}
		stays = append(stays, change.Line{Mark: change.Good, Text: transcript.CleanLine(e.Ref.Path) + ":" + words.Count(e.Ref.From) + text})
	}
	p.Add("Checked", stays...)
	switch {
	case n.Bead:
		p.Add("Stays", change.Line{Mark: change.Good, Text: "NOTES.md and every file of the project: " + n.program.Name + " writes its own"})
		p.Add("Undo", change.Line{Text: n.program.Name + " can't remove a comment, so it stays."})
	case n.was != "", n.Entry.Kind == notes.EntryHandoff && n.Known:
		p.Add("Stays", change.Line{Mark: change.Good, Text: "all other lines, byte for byte"})
		p.Add("Undo", change.Line{Text: n.undo + " restores the previous text, if it is still in place."})
	case n.Known:
		p.Add("Stays", change.Line{Mark: change.Good, Text: "all other lines, byte for byte, including later changes by others"})
		p.Add("Undo", change.Line{Text: n.undo + " removes these lines if they occur once or are still in place."})
	default:
		p.Add("Undo", change.Line{Text: n.undo + " removes the file, or only these lines if it has others."})
	}
	return p.Parts
}

// where returns the section and the line of the entry.
func (n *Noting) where() string {
	lines := strings.Count(strings.Trim(string(n.Place.Text), "\r\n"), "\n") + 1
	text := words.Counted(lines, "new line", "new lines") + " in " + filepath.Base(n.project.Notes) + ", from line " + words.Count(n.Place.Line)
	if !n.Known {
		text = "1 new file, " + words.Counted(lines, "line", "lines")
	}
	if n.was != "" {
		text = "line " + words.Count(n.Place.Line) + " of " + filepath.Base(n.project.Notes)
	}
	section := "“" + transcript.CleanLine(n.Place.Section) + "”"
	if n.Place.Made {
		return text + ", with a new section " + section
	}
	return text + ", below " + section
}

// linesMost is how many lines of an entry a plan shows.
const linesMost = 40

// Lines returns the entry's lines as they will be written.
func (n *Noting) Lines() []change.Line {
	text := n.Comment
	if !n.Bead {
		text = string(n.Place.Text)
	}
	all := strings.Split(strings.Trim(transcript.Clean(text), "\n"), "\n")
	var lines []change.Line
	for _, s := range all[:min(len(all), linesMost)] {
		lines = append(lines, change.Line{Tone: change.Code, Text: strings.TrimRight(s, "\r")})
	}
	if more := len(all) - linesMost; more > 0 {
		lines = append(lines, change.Line{Tone: change.Faint, Text: "… " + words.Counted(more, "more line", "more lines")})
	}
	return lines
}

// NoteWords returns the arguments that write the same entry.
func NoteWords(ask *NoteAsk) []string {
	e := &ask.Entry
	words := []string{"note", string(e.Kind)}
	add := func(flag, value string) {
		if value != "" {
			words = append(words, flag, value)
		}
	}
	add("--decision", out.Word(e.Kind == notes.EntryDecision, e.Text))
	add("--rationale", e.Rationale)
	reference := ""
	for i := range e.Evidence {
		place := e.Evidence[i].Ref.String()
		if e.Kind == notes.EntryReference {
			reference = place
			continue
		}
		if q := e.Evidence[i].Quote; q != "" {
			place += " | " + q
		}
		add("--evidence", place)
	}
	for _, s := range e.Scenarios {
		add("--scenario", s)
	}
	if ask.NoEvidence {
		words = append(words, "--no-evidence")
	}
	add("--session", e.Session)
	add("--trajectory", e.Trajectory)
	add("--ratio", e.Ratio)
	add("--notes-ref", e.NotesRef)
	add("--type", e.Type)
	add("--expected", e.Expected)
	add("--bead", e.Bead)
	add("--project", ask.Dir)
	text := e.Text
	if e.Kind == notes.EntryDecision {
		text = e.Title
	}
	if strings.HasPrefix(text, "-") {
		words = append(words, "--")
	}
	for _, s := range []string{reference, text} {
		if s != "" {
			words = append(words, s)
		}
	}
	return slices.Clip(words)
}
