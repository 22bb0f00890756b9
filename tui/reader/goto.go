package reader

import (
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// toTyped has the text that the user typed into the dialog of askMessage.
type toTyped struct{ text string }

// askMessage opens a dialog for the number, the time or the ID of a message.
func (p *Page) askMessage() []screen.Effect {
	return []screen.Effect{screen.Open{Dialog: dialog.NewLine(dialog.LineOptions{
		Title: "Go to", About: render.Title(&p.pane.row), Verb: "go", Most: 40,
		Hint: "a number, 14:05, yesterday, 2026-11-21 14:05 or the start of an ID",
		Take: func(text string) screen.Effect { return screen.Reply{Msg: toTyped{strings.TrimSpace(text)}} },
	})}}
}

// namedMsg has the messages whose IDs begin with the typed text.
type namedMsg struct {
	version, gen int
	text         string
	found        []int
	err          error
}

// leastID is the minimum length of a typed ID.
const leastID = 4

// goTo goes to the message for a text: a number, a time, or the beginning of an ID. A time leads to the first message
// from then on.
func (p *Page) goTo(text string) []screen.Effect {
	r := &p.pane
	if text == "" || len(r.out.Refs) == 0 {
		return nil
	}
	if n, err := strconv.Atoi(text); err == nil {
		for i := range r.out.Refs {
			if r.out.Refs[i].Turn && int(r.out.Turns[i]) == n && !r.out.Off(i) {
				r.cur.toMessage(i, p.rows)
				return nil
			}
		}
		if len(text) < leastID || n < 0 {
			return tell("There is no message " + text + ".")
		}
	}
	at, ok := timeIn(text, p.frame.Now, transcript.At(r.out.Refs[r.cur.bar.message].Time))
	switch {
	case !ok && len(text) < leastID:
		return tell("“" + transcript.CleanLine(text) + "” is neither a number nor a time. An ID needs at least 4 characters.")
	case !ok:
		r.goingTo++
		doc, version, gen := r.doc, r.version, r.goingTo
		return commands(func() tea.Msg {
			found, err := doc.Named(version, text)
			return namedMsg{version, gen, text, found, err}
		})
	}
	for i := range r.out.Refs[:r.out.Last+1] {
		if m := &r.out.Refs[i]; m.Time != 0 && !transcript.At(m.Time).Before(at) && !m.Quiet && !r.out.Off(i) {
			r.cur.toMessage(i, p.rows)
			return nil
		}
	}
	return tell("The last message is earlier than that.")
}

// named goes to the message with the typed ID. Another typed ID prevents this.
func (p *Page) named(msg namedMsg) []screen.Effect {
	r, text := &p.pane, "“"+transcript.CleanLine(msg.text)+"”"
	switch {
	case msg.gen != r.goingTo:
		return nil
	case msg.version != r.version || msg.err != nil:
		return tell("New messages arrived during the search. Try again.")
	case len(msg.found) == 0:
		return tell("No message has the number, time or ID " + text + ".")
	case len(msg.found) > 1:
		return tell(words.Count(len(msg.found)) + " messages begin with " + text + ". Type more of the ID.")
	}
	r.cur.toMessage(msg.found[0], p.rows)
	return nil
}

// timeIn parses a day, a time of day, or both. Without a day, it takes the day of the selected message.
func timeIn(text string, now, selected time.Time) (time.Time, bool) {
	zone := now.Location()
	if selected.IsZero() {
		selected = now
	}
	day, rest, _ := strings.Cut(strings.ToLower(text), " ")
	switch day {
	case "today":
		day = now.Format(time.DateOnly)
	case "yesterday":
		day = now.AddDate(0, 0, -1).Format(time.DateOnly)
	default:
		if strings.Contains(day, ":") && rest == "" {
			day, rest = selected.In(zone).Format(time.DateOnly), day
		}
	}
	form := time.DateOnly
	if rest != "" {
		form += " 15:04"
		day += " " + rest
	}
	at, err := time.ParseInLocation(form, day, zone)
	return at, err == nil
}
