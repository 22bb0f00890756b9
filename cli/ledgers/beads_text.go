package ledgers

import (
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

const (
	beadTextAt = 2  // column of the titles
	beadIDs    = 20 // maximum width of an ID on a terminal, in cells
)

// listedBead is a bead, its group, and the beads that it waits for.
type listedBead struct {
	*beads.Bead
	group string
	waits []string
}

// at returns when a bead was closed or, for an open bead, last changed.
func (b listedBead) at() time.Time {
	if b.group == "Closed" && !b.Closed.IsZero() {
		return b.Closed
	}
	return b.Updated
}

// beadsTable describes the table of beads.
func beadsTable(env *place.Env) *out.Table[listedBead] {
	return &out.Table[listedBead]{
		Columns: []out.Column[listedBead]{
			{Key: "id", Ink: render.Faint, Max: beadIDs, Leave: 4, Tab: func(b listedBead) string { return transcript.CleanLine(b.ID) }},
			{Key: "group", Tab: func(b listedBead) string { return groupWord(b.group) }},
			{
				Key: "priority", Ink: render.Muted, Right: true, Leave: 2, Tab: func(b listedBead) string { return strconv.Itoa(b.Priority) },
				Text: func(b listedBead) string { return "P" + strconv.Itoa(min(max(b.Priority, 0), 9)) },
			},
			{Key: "type", Tab: func(b listedBead) string { return transcript.CleanLine(b.Type) }},
			{Key: "status", Tab: func(b listedBead) string { return transcript.CleanLine(b.Status) }},
			{
				Key: "updated", Ink: render.Faint, Right: true, Leave: 3, Tab: func(b listedBead) string { return out.When(b.Updated) },
				Text: func(b listedBead) string { return render.Age(env.Now(), b.at()) },
			},
			{Key: "assignee", Tab: func(b listedBead) string { return transcript.CleanLine(b.Assignee) }},
			{Key: "waits", Tab: func(b listedBead) string { return transcript.CleanLine(strings.Join(b.waits, ",")) }},
			{Key: "title", Fill: true, Least: 24, Tab: func(b listedBead) string { return transcript.CleanLine(b.Title) }},
			{Key: "fact", Ink: render.Muted, Right: true, Max: 32, Leave: 1, Text: func(b listedBead) string {
				if len(b.waits) > 0 {
					return "waits for " + transcript.CleanLine(strings.Join(b.waits, ", "))
				}
				return transcript.CleanLine(b.Assignee)
			}},
		},
		Piped: "id group priority type status updated assignee waits title",
		Shown: "title fact priority updated id",
		Mark: func(b listedBead) render.Span {
			switch b.group {
			case "Blocked":
				return render.Span{Ink: render.Warn, Text: "△"}
			case "Closed":
				return render.Span{Ink: render.Good, Text: "✓"}
			}
			return render.Span{Ink: render.Faint, Text: "·"}
		},
		Group: func(b listedBead) string { return b.group },
	}
}

// beadsSum returns the numbers of beads, and the command that shows more.
func beadsSum(l *beadsLook, groups []beadGroup, ask *beadsAsk) string {
	open := 0
	for i := range l.Beads {
		if l.Beads[i].Status != "closed" {
			open++
		}
	}
	shown := 0
	for _, g := range groups {
		shown += len(g.beads)
	}
	sum := words.Count(open) + " open, " + words.Count(l.CountClosed()) + " closed."
	switch {
	case open+l.CountClosed() == 0:
		return "No beads yet. " + l.program.Advised() + " create makes one."
	case shown == 0 && ask.ready:
		return "Nothing is ready. " + sum
	case shown == 0 && ask.blocked:
		return "Nothing is blocked. " + sum
	case shown == 0:
		return "No bead can be started, and none is blocked. " + sum + " --all shows them."
	case !ask.all && !ask.ready && !ask.blocked && shown < open+l.CountClosed():
		return sum + " --all shows them. continuo beads ID shows one bead."
	}
	return sum + " continuo beads ID shows one bead."
}

// findingsTable describes the table of missing fields.
func findingsTable() *out.Table[beads.Finding] {
	return &out.Table[beads.Finding]{
		Columns: []out.Column[beads.Finding]{
			{Key: "id", Ink: render.Faint, Max: beadIDs, Value: func(f beads.Finding) any { return f.Bead }},
			{Key: "kind", Tab: func(f beads.Finding) string {
				if f.Block {
					return "blocking"
				}
				return "remark"
			}},
			{Key: "field", Ink: render.Muted, Value: func(f beads.Finding) any { return f.Field }},
			{Key: "what", Below: true, Least: 28, Value: func(f beads.Finding) any { return out.Path(f.What) }},
			{Key: "blocks", Value: func(f beads.Finding) any { return f.Block }},
		},
		Piped: "id kind field what",
		Shown: "id field what",
		Mark: func(f beads.Finding) render.Span {
			if f.Block {
				return render.Span{Ink: render.BadBold, Text: "✗"}
			}
			return render.Span{Ink: render.Warn, Text: "△"}
		},
	}
}
