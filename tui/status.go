package tui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/list"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// status is the message of the program. An error stays until esc, any other message until the next key.
type status struct {
	text  string
	bad   bool
	offer bool // the message offers to make backups
}

func (s *status) say(text string) { *s = status{text: transcript.CleanLine(text)} }

// afterInput returns the status after a key or click. It keeps only an error.
func (s status) afterInput() status {
	if s.bad {
		return s
	}
	return status{}
}

// fail sets an error: what happened, and the detail with ~ for the home directory.
func (s *status) fail(what string, err error, home string) {
	*s = status{text: transcript.CleanLine(what + " " + screen.Sentence(err, home)), bad: true}
}

// statusBar draws the status line.
type statusBar struct {
	status
	styles        *render.Styles
	width, height int           // size of the terminal in cells
	progress      list.Progress // progress of reading the list, or zero
	left          time.Duration // estimated time until the list is complete, or 0
}

func (m *model) statusBar() statusBar {
	b := statusBar{status: m.status, styles: m.styles, width: m.width, height: m.height}
	if d, ok := m.dialog(); ok && d.Says() { // a dialog that shows the message itself
		b.status = status{}
	}
	b.progress = m.lists.Progress()
	b.left = m.feed.left(b.progress)
	return b
}

// says reports whether the status has a text that replaces the keys on a small screen.
func (b *statusBar) says(v *screen.View) bool { return b.text != "" || v.Says || v.Field != "" }

// lines draws the status. An error may have statusRows lines, because its end says what to do.
func (b *statusBar) lines(v *screen.View) []string {
	if !b.bad || v.Field != "" {
		return []string{b.line(v)}
	}
	text := render.Wrap(b.text, max(b.width-4, 1))
	if rows := max(min(statusRows, b.height/3), 1); len(text) > rows {
		text = append(text[:rows-1], strings.Join(text[rows-1:], " "))
	}
	var lines []string
	for i, s := range text {
		l := render.NewLine(b.styles, b.width).To(1)
		if i == 0 {
			l.Put(render.BadBold, "✗ ")
		}
		lines = append(lines, l.To(min(3, b.width-1)).PutUntil(render.Text, s, b.width-1).String())
	}
	return lines
}

const statusRows = 4

// line draws the message or the position. Without both it returns "", and a small screen shows the keys.
func (b *statusBar) line(v *screen.View) string {
	l := render.NewLine(b.styles, b.width).To(1)
	left, right := v.Left, v.Right
	switch {
	case v.Field != "":
		return v.Field
	case b.text != "":
		if b.offer {
			l.Put(render.Warn, "△ ")
		}
		return l.PutUntil(render.Text, b.text, b.width-1).String()
	case v.Status != "":
		return v.Status
	case v.Reading && b.progress.Total > 0:
		return b.reading(l)
	}
	l.PutUntil(render.Faint, left, b.width-1)
	return l.Right(b.width-1, render.Span{Ink: render.Faint, Text: right}).String()
}

// reading draws the progress of reading the list.
func (b *statusBar) reading(l *render.Line) string {
	p := &b.progress
	does, read, ready := "Reading sessions  ", words.Count(p.Exact)+" of "+words.Count(p.Total)+" · "+words.SizeOf(p.ExactBytes, p.Bytes), "search covers these so far"
	switch {
	case p.Newest > 0:
		does, read, ready = "Listing sessions  ", words.Count(p.Newest)+" of "+words.Count(p.Total)+" · "+words.Size(p.Bytes), "the newest are ready to read"
	case b.left > 0:
		read += " · " + words.Count(int(b.left/time.Second)+1) + " s left"
	}
	cells := max(min(26, b.width/4, b.width-len(does+read)-4), 1)
	all := max(p.Bytes, int64(cells))
	begun := all/int64(cells) + 1 // the first cell is filled from the start
	l.Put(render.Muted, does).Gauge(int(max(p.ExactBytes, begun)), int(all), cells)
	l.PutUntil(render.Faint, "  "+read, b.width-1)
	return l.Right(b.width-1, render.Span{Ink: render.Faint, Text: "  " + ready}).String()
}

// footer draws as many keys as fit, by rank. The key for help is at the right.
func footer(keys []screen.Binding, st *render.Styles, width int) string {
	l := render.NewLine(st, width).To(1)
	var help []render.Span
	for i := range keys {
		if b := &keys[i]; b.IsHelp {
			help = footerKey(b)
		}
	}
	end := width - 1 - render.SpansWidth(help)
	var put [][]render.Span
	at, extra, extraAt := 1, "", 0
	keys = slices.Clone(keys)
	slices.SortStableFunc(keys, func(a, b screen.Binding) int { return cmp.Compare(a.Rank, b.Rank) })
	for i := range keys {
		b := &keys[i]
		if b.Label == "" || b.IsHelp || b.Gone || b.Quiet {
			continue
		}
		key, gap := footerKey(b), 0
		if at > 1 {
			gap = 3
		}
		if at+gap+render.SpansWidth(key)+2 > end {
			continue
		}
		if b.Extra != "" {
			extra, extraAt = b.Extra, len(put)
		}
		at += gap + render.SpansWidth(key)
		put = append(put, key)
	}
	for i, key := range put {
		if i > 0 {
			l.Put(render.Text, "   ")
		}
		l.Spans(key...)
		if i == extraAt && at+len(extra)+2 <= end {
			l.Put(render.Muted, extra)
		}
	}
	return l.Right(width-1, help...).String()
}

// footerKey returns a key and its verb. A disabled key is faint.
func footerKey(b *screen.Binding) []render.Span {
	if b.Off != "" {
		return []render.Span{{Ink: render.Faint, Text: b.Show + " " + cmp.Or(b.As, b.Label)}}
	}
	return []render.Span{{Ink: render.Strong, Text: b.Show}, {Ink: render.Muted, Text: " " + cmp.Or(b.As, b.Label) + b.More}}
}
