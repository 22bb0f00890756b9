package ledgers

import (
	"slices"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// forkAt is the column of texts after labels.
const forkAt = 14

// forksText formats forks as in spec 002's example br diff, and adds both locations.
func forksText(env *place.Env, o *out.Output, k *forkLook, prompt string, ask *forkAsk, wrote int) string {
	var b strings.Builder
	paint := o.Out.Styles.Paint
	line := func(label, text string, ink render.Ink, aside string) {
		width := max(o.Out.Width-out.ListMargin-forkAt, 20)
		for i, s := range render.Wrap(transcript.CleanLine(text), width) {
			head := strings.Repeat(" ", forkAt)
			if i == 0 {
				head = paint(render.Muted, ("  " + label + head)[:forkAt])
			}
			b.WriteString(head + paint(ink, s) + "\n")
		}
		if aside = transcript.CleanLine(aside); aside != "" {
			b.WriteString(strings.Repeat(" ", forkAt) + paint(render.Faint, words.Cut(aside, width)) + "\n")
		}
	}
	for i := range k.forks {
		f := &k.forks[i]
		b.WriteString(paint(render.BadBold, "✗") + " " + paint(render.Strong, "FORK DETECTED") + "\n")
		line("Context:", `"`+f.Statement.Text+`"`, render.Text, forkSaid(env, k, f))
		who, wins, where := "Bead:", "Bead wins (external ledger is authoritative)", f.Bead
		if f.Resolution == gate.NotesWins {
			who, wins, where = "NOTES.md:", "NOTES.md wins (external ledger is authoritative)", "line "+strconv.Itoa(f.Line)
		}
		if f.Title != "" {
			where += ", " + f.Title
		}
		if !f.When.IsZero() {
			where += ", " + env.Moment(f.When)
		}
		line(who, `"`+f.Decision+`"`, render.Strong, where)
		line("Resolution:", wins, render.Text, "")
		b.WriteString("\n")
	}
	switch {
	case len(k.forks) == 0:
		return paint(render.Good, "✓") + " " + o.Out.Wrapped(k.noFork())
	case ask.copy:
		b.WriteString(o.Out.Wrapped("Sent to the clipboard: the prompt that resyncs the session."))
	default:
		b.WriteString(paint(render.Muted, "Prompt that resyncs the session") + "\n")
		for text := range strings.Lines(prompt) {
			b.WriteString(transcript.Clean(text))
		}
		b.WriteString("\n")
	}
	switch {
	case ask.dryRun:
		b.WriteString(o.Out.Wrapped("Nothing was written."))
	case wrote > 0:
		b.WriteString(o.Out.Wrapped("Recorded in " + env.Tilde(k.file) + "."))
	case !slices.Contains(k.recorded, false):
		b.WriteString(o.Out.Wrapped("The trajectory already has a record of each fork, so nothing was written."))
	}
	return b.String()
}

// noFork returns the message without a fork.
func (k *forkLook) noFork() string {
	switch {
	case k.session == nil:
		return "No fork: the ledger agrees with the decision, or does not mention it."
	case k.checked == 0:
		return "No fork: the session has no line that begins with DECISION: or **Decision**:."
	case k.checked == 1:
		return "No fork: the decision of the session does not contradict the ledger."
	}
	return "No fork: none of the " + words.Count(k.checked) + " decisions of the session contradicts the ledger."
}

// forkSaid returns a decision's session and time.
func forkSaid(env *place.Env, k *forkLook, f *gate.Fork) string {
	if k.session == nil {
		return ""
	}
	text := "session " + place.ShortID(k.session.Row.ID)
	if !f.Statement.At.IsZero() {
		text += ", " + env.Moment(f.Statement.At)
	}
	return text
}
