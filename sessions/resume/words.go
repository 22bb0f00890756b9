package resume

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// clean returns a text from a file as one line without control characters.
func clean(s string) string { return transcript.CleanLine(s) }

// short returns a path with ~ for the home directory.
func (g *guard) short(path string) string {
	home := strings.TrimRight(g.Home, `/\`)
	if rest, ok := strings.CutPrefix(path, home); ok && home != "" && (rest == "" || rest[0] == '/' || rest[0] == '\\') {
		path = "~" + rest
	}
	return clean(path)
}

// shown returns a launch for display: with ~, client name and short ID.
func (g *guard) shown(l *Launch) string {
	words := slices.Clone(l.Argv)
	words[0] = g.Claude.Name
	if words[0] == "" {
		words[0] = "claude"
	}
	if g.prompt != nil {
		words[1] = strconv.Quote(clean(words[1]))
	}
	if len(l.Make) > 0 {
		words = slices.Concat(l.Make, []string{"&&"}, words)
	}
	if l.Restore != "" {
		name := strings.TrimSuffix(filepath.Base(l.Restore), ".jsonl")
		flags := []string{}
		if l.Fresh {
			flags = append(flags, "--new-id")
		}
		words = slices.Concat([]string{"continuo", "backup", "restore", name}, flags, []string{"&&"}, words)
	}
	if l.From != "" {
		words = []string{"continuo", "resume", g.Row.ID, "--fork", "--at", l.At}
	}
	for i, w := range words {
		if w == g.Row.ID {
			w = w[:min(len(w), 8)]
		}
		words[i] = g.short(w)
	}
	return strings.Join(words, " ")
}

// reason returns a sentence on why the session is damaged.
func (g *guard) reason() string {
	if g.Row.Reason == "" {
		return "Some lines could not be read."
	}
	return g.sentence(g.Row.Reason)
}

// sentence makes a sentence from a reason.
func (g *guard) sentence(reason string) string {
	text := strings.TrimSuffix(clean(reason), ".")
	if text == "" {
		return "The reason is unknown."
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// who describes the clients of the session: where they run, since when, and their status.
func (g *guard) who() string {
	const most = 3
	var text []string
	for i := range g.Clients[:min(len(g.Clients), most)] {
		text = append(text, g.client(&g.Clients[i]))
	}
	if more := len(g.Clients) - most; more > 0 {
		text = append(text, strconv.Itoa(more)+" more have it open.")
	}
	return strings.Join(text, " ")
}

func (g *guard) client(c *Client) string {
	who := "A client"
	if c.PID > 0 {
		who = "pid " + strconv.Itoa(c.PID)
	}
	if c.PaneName != "" {
		who += " in tmux " + clean(c.PaneName)
	} else if c.TTY != "" {
		who += " on " + clean(c.TTY)
	}
	if c.PaneName == "" && c.Cwd != "" {
		who += " in " + g.short(c.Cwd)
	}
	if c.Starting {
		return who + " was started here " + g.ago(c.Started) + "."
	}
	if !c.Started.IsZero() {
		who += " has it open since " + g.clock(c.Started)
	} else {
		who += " has it open"
	}
	switch c.Status {
	case sessions.StatusBusy:
		who += " and is busy"
	case sessions.StatusIdle:
		who += " and is idle"
	case sessions.StatusWaiting:
		who += " and waits for you"
		if c.WaitingFor != "" {
			who += " (" + clean(c.WaitingFor) + ")"
		}
	}
	if !c.Updated.IsZero() && c.Updated.After(c.Started) {
		who += ", as of " + g.ago(c.Updated)
	}
	if !c.Verified {
		who += "; couldn't check whether it still runs"
	}
	return who + "."
}

// clock formats a time for a sentence, with the day unless it is today.
func (g *guard) clock(t time.Time) string {
	t = t.In(g.Now.Location())
	if t.Year() == g.Now.Year() && t.YearDay() == g.Now.YearDay() {
		return t.Format("15:04")
	}
	return t.Format("Jan 2 15:04")
}

// ago formats an age for a sentence.
func (g *guard) ago(t time.Time) string {
	return cmp.Or(words.Ago(g.Now, t), "at an unknown time")
}

// olderVersion reports whether version a is older than version b. It returns false for invalid versions.
func olderVersion(a, b string) bool {
	x, xok := versionParts(a)
	y, yok := versionParts(b)
	if !xok || !yok {
		return false
	}
	for i := range x {
		if x[i] != y[i] {
			return x[i] < y[i]
		}
	}
	return false
}

func versionParts(s string) (parts [3]int, ok bool) {
	if i := strings.IndexAny(s, "-+"); i >= 0 {
		s = s[:i]
	}
	fields := strings.Split(s, ".")
	if len(fields) != len(parts) {
		return parts, false
	}
	for i, f := range fields {
		n, err := strconv.Atoi(f)
		if err != nil || n < 0 {
			return parts, false
		}
		parts[i] = n
	}
	return parts, true
}
