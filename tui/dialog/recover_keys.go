package dialog

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Intents of a recovery.
const (
	take      = "recover-take" // carries out takings()[N]
	stage     = "recover-stage"
	unstage   = "recover-unstage"
	level     = "recover-level"
	toEnd     = "recover-end"
	about     = "recover-about"
	takeAbout = "recover-take-about"
)

// takings returns the ways to use a level that write nothing to the project.
func takings() []screen.Taking {
	return []screen.Taking{screen.TakeSession, screen.TakeCopy, screen.TakeFile}
}

// Keys implements screen.Screen.
func (d *Recover) Keys() []screen.Binding {
	if d.typing {
		return append([]screen.Binding{
			on(enter, 0, "enter"), on(takeAbout, 0, "tab"), on(by, -1, "up", "ctrl+p"), on(by, 1, "down", "ctrl+n"),
			on(scroll, -page, "pgup"), on(scroll, page, "pgdown", "ctrl+d"), on(closeIt, 0, "esc"),
		}, screen.Common(screen.Quit)...)
	}
	why := d.noTakeReason()
	taking := func(key, label string, how screen.Taking) screen.Binding {
		return screen.Binding{Keys: []string{key}, Show: key, Label: label, Do: screen.Intent{Name: take, N: slices.Index(takings(), how)}, Off: why}
	}
	return append([]screen.Binding{
		taking("enter", "new session", screen.TakeSession),
		{Keys: []string{"S"}, Show: "S", Label: "stage", Do: screen.Intent{Name: stage}, Gone: !d.opts.CanStage, Off: why},
		{Keys: []string{"x"}, Show: "x", Label: "unstage", Do: screen.Intent{Name: unstage}, Gone: !d.canUnstage(), Needed: "nothing is staged"},
		taking("y", "copy", screen.TakeCopy), taking("E", "export", screen.TakeFile),
		on(level, int(recovery.Where), "1"), on(level, int(recovery.Topic), "2"), on(level, int(recovery.All), "3"),
		on(by, -1, "up", "k", "ctrl+p"), on(by, 1, "down", "j", "ctrl+n"),
		on(scroll, -page, "pgup", "ctrl+u"), on(scroll, page, "pgdown", "ctrl+d"),
		on(toEnd, -1, "g", "home"), on(toEnd, 1, "G", "end"),
		on(about, 0, "/"), on(closeIt, 0, "esc", "q"),
	}, screen.Common(screen.Quit)...)
}

// Do implements screen.Screen.
func (d *Recover) Do(do screen.Intent) []screen.Effect {
	switch do.Name {
	case take:
		return []screen.Effect{screen.Take{Dir: d.opts.Dir, Result: *d.at(d.level).known, How: takings()[do.N]}}
	case stage:
		return []screen.Effect{screen.Ask{Change: screen.Change{Kind: screen.ChangeStage, Dir: d.opts.Dir, Text: d.at(d.level).known.Text}}}
	case unstage:
		return []screen.Effect{screen.Ask{Change: screen.Change{Kind: screen.ChangeStage, Dir: d.opts.Dir}}}
	case level:
		d.toLevel(recovery.Level(do.N))
	case by:
		d.byLevel(do.N)
	case scroll:
		d.scrollTo(d.top + do.N)
	case toEnd:
		d.scrollTo(do.N * mostRows)
	case about:
		d.startAbout()
	case takeAbout:
		return d.takeAbout()
	case enter:
		d.typing = false
	case closeIt:
		return d.close()
	}
	return nil
}

// Typed implements screen.Typed.
func (d *Recover) Typed(msg tea.Msg) []screen.Effect {
	if d.typing && d.about.Type(msg) {
		return d.aboutChanged()
	}
	return nil
}

// Wheel implements screen.Screen.
func (d *Recover) Wheel(_, _, rows int) []screen.Effect {
	d.scrollTo(d.top + rows)
	return nil
}

// close ends typing, or else removes an error, or else closes the dialog.
func (d *Recover) close() []screen.Effect {
	switch {
	case d.typing:
		return d.dropAbout()
	case d.f.Wrong:
		return tell("")
	}
	return append(tell(""), screen.Pop{})
}

// noTakeReason returns the reason why the selected level can't be used, or "".
func (d *Recover) noTakeReason() string {
	switch a := d.at(d.level); {
	case a.asking:
		return "still reading"
	case a.err != nil:
		return "it could not be read"
	case a.known == nil || a.known.Text == "":
		return "there is nothing to recover"
	}
	return ""
}

func (d *Recover) canUnstage() bool { return d.opts.CanStage && !d.staged.IsZero() }
