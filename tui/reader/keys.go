package reader

import (
	"slices"

	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Intents of the reader.
const (
	enter       = "enter"
	fold        = "fold"
	foldAll     = "fold-all"
	toPrompt    = "to-prompt" // N is 1 for the next one, -1 for the previous one
	toBound     = "to-bound"  // N is 1 for next, -1 for previous; a document goes along its chain
	toFailed    = "to-failed" // N is 1 for the next one, -1 for the previous one
	branch      = "branch"
	goTo        = "go-to"
	showOutline = "outline"
	startFind   = "find"
	find        = "find-typed"
	toMatch     = "to-match" // N is 1 for the next one, -1 for the previous one
	follow      = "follow"
	notices     = "notices"
	known       = "known"
	markRange   = "mark-range"
	// The intents copyMarked and copyPlain copy the marked messages.
	copyMarked = "copy-marked"
	copyPlain  = "copy-plain"
	copyItem   = "copy-item" // copies a prompt about the selected item of a list
)

// Name implements screen.Screen.
func (p *Page) Name() string {
	if p.pane.find.typing {
		return "While you type"
	}
	return "Reader"
}

// Keys implements screen.Screen.
func (p *Page) Keys() []screen.Binding {
	if p.pane.find.typing {
		return append([]screen.Binding{
			{Keys: []string{"enter"}, Show: "enter", Label: "find", Help: "find", Group: screen.GroupFind, Do: screen.Intent{Name: find}},
			{Keys: []string{"esc"}, Show: "esc", Label: "back", Help: "back to reading", Group: screen.GroupFind, Do: screen.Intent{Name: screen.Clear}},
		}, screen.Typing()...)
	}
	reading, copies := slices.Concat(p.readingKeys(), p.markKeys()), screen.Common(screen.CopyMenu)
	switch {
	case p.pane.marking.on:
		reading, copies = slices.Concat(p.markKeys(), p.readingKeys()), nil
	case p.pane.cur.item() != nil:
		reading, copies = slices.Insert(reading, 1, screen.Binding{
			Name: "copy", Keys: []string{"y"}, Show: "y", Label: "copy as prompt", Help: "copy as a prompt for Claude", Group: screen.GroupThis,
			Do: screen.Intent{Name: copyItem}, Needs: screen.NeedsActions,
		}), nil
	}
	back := screen.Binding{Keys: []string{"esc"}, Show: "esc", Label: "back", Help: "clear, then back", Group: screen.GroupEverywhere, Do: screen.Intent{Name: screen.Clear}}
	forks := screen.Common(screen.Fork, screen.OpenHandover)
	if !p.pane.view.known {
		forks = screen.RankSecond.At(forks...)
	}
	actions := slices.Concat(screen.Common(screen.Resume), forks, screen.RankSecond.At(screen.Common(screen.Recover, screen.Restore,
		screen.Discard, screen.Verify, screen.Keep, screen.Facts)...))
	copies = append(copies, screen.Common(screen.Export, screen.Fresh)...)
	others := screen.RankThird.At(screen.Common(screen.Project, screen.ResumeIn, screen.Backup, screen.Undo, screen.UndoList, screen.Search,
		screen.Palette, screen.Help, screen.Suspend, screen.Quit)...)
	if p.pane.out.IsAgent() { // these actions are for sessions only
		if a := p.pane.agent; a == nil || a.Prompt > 0 { // otherwise, the user came from a family
			back.Label = "back to the call"
		}
		for i := range actions {
			actions[i].Quiet = true
		}
		others[0].Quiet = true
		reading, back = append([]screen.Binding{back}, reading...), screen.Binding{}
	}
	edit := screen.Common(screen.EditFile)
	switch e := p.edit(); {
	case p.isDocument():
	case e.File == "":
		edit[0].Quiet = true
	default:
		at := 1 + slices.IndexFunc(reading, func(b screen.Binding) bool { return b.Do.Name == foldAll })
		reading, edit = slices.Insert(reading, at, edit...), nil
	}
	return slices.Concat(reading, actions, screen.Common(screen.Family), copies, []screen.Binding{
		back,
		{Name: "back", Keys: []string{"q"}, Show: "q", Help: "back to the list", Group: screen.GroupEverywhere, Do: screen.Intent{Name: screen.Leave}},
	}, edit, others, movement())
}

// enterLabel says what the key enter does with the selected part.
func (p *Page) enterLabel() string {
	r := &p.pane
	_, called := r.calledAgent()
	_, inline := r.cur.inline()
	switch {
	case called, inline:
		return "read the sub-agent"
	case r.cur.item() != nil:
		return goLabel(r.cur.item())
	case r.cur.summaryBelow() > 0:
		return "open the summary"
	case r.cur.callOfNotice() != "":
		return "go to the call"
	}
	if images, _ := r.cur.images(); len(images) > 0 {
		return "open the image"
	}
	if r.cur.isOpen() {
		return "fold"
	}
	return "open"
}

// readingKeys returns the keys that only the reader has.
func (p *Page) readingKeys() []screen.Binding {
	doc, bounds, found := p.isDocument(), p.hasBounds(), p.hasSearch()
	what, later := "prompt", screen.RankSecond
	if doc {
		what, later = "section", screen.RankFirst
	}
	label := p.enterLabel()
	knownLabel := "what Claude knows"
	if p.pane.view.known {
		knownLabel = "normal view"
	}
	folds := ""
	if p.pane.folds.Base() == talk.Open {
		folds = "fold all"
	}
	const noSearch = "search first"
	off := ""
	if label == "open" && p.hasParts() && p.pane.view.part(p.pane.cur.bar).Fold == talk.Fixed {
		off = "nothing to open here"
	}
	keys := []screen.Binding{
		{Keys: []string{"enter"}, Show: "enter", Label: label, Help: "open, fold, read a sub-agent", Group: screen.GroupRead, Do: screen.Intent{Name: enter}, Off: off},
		{Keys: []string{"z"}, Show: "z", Help: "open or fold", Group: screen.GroupRead, Do: screen.Intent{Name: fold}},
		{Name: "fold-all", Keys: []string{"Z"}, Show: "Z", Label: "open all", As: folds, Help: "open all turns, calls", Group: screen.GroupRead, Do: screen.Intent{Name: foldAll}},
		pair("prompt", "{ }", "prompts", "previous, next prompt", !doc && !p.pane.out.IsAgent()),
		pair("prompt", "{ }", "sections", "previous, next section", doc),
		{Name: "next-prompt", Keys: []string{"}"}, Command: "Next " + what, Group: screen.GroupRead, Do: screen.Intent{Name: toPrompt, N: 1}},
		{Name: "previous-prompt", Keys: []string{"{"}, Command: "Previous " + what, Group: screen.GroupRead, Do: screen.Intent{Name: toPrompt, N: -1}},
		pair("boundary", "[ ]", "compactions", "compactions", bounds),
		{Name: "next-boundary", Keys: []string{"]"}, Group: screen.GroupRead, Do: screen.Intent{Name: toBound, N: 1}},
		{Name: "previous-boundary", Keys: []string{"["}, Group: screen.GroupRead, Do: screen.Intent{Name: toBound, N: -1}},
		pair("boundary", "[ ]", "linked sessions", "linked sessions", len(p.chain(p.frame.Width)) > 0),
		pair("failure", "( )", "failed calls", "previous, next failed call", !doc),
		{Name: "next-failure", Keys: []string{")"}, Command: "Next failed call", Group: screen.GroupRead, Do: screen.Intent{Name: toFailed, N: 1}, Gone: doc},
		{Name: "previous-failure", Keys: []string{"("}, Command: "Previous failed call", Group: screen.GroupRead, Do: screen.Intent{Name: toFailed, N: -1}, Gone: doc},
		{Name: "branch", Keys: []string{"b"}, Show: "b", Label: "branches", Help: "another branch", Group: screen.GroupRead, Do: screen.Intent{Name: branch}, Gone: doc || !p.pane.out.HasSplits(), Needed: "this conversation has no branches"},
		{Name: "go-to", Keys: []string{"#", "@"}, Show: "# @", Help: "go to a number, time or ID", Group: screen.GroupRead, Do: screen.Intent{Name: goTo}, Gone: doc, Needed: "choose a conversation"},
		{Name: "outline", Keys: []string{"o"}, Show: "o", Label: "outline", Help: "outline", Group: screen.GroupRead, Do: screen.Intent{Name: showOutline}, Rank: later, Quiet: p.pane.out.IsAgent()},
		{Name: "find", Keys: []string{"/"}, Show: "/", Label: "find", Help: "find in here", Group: screen.GroupFind, Do: screen.Intent{Name: startFind}, Rank: later},
		{Pair: []string{"next-match", "previous-match"}, Show: "n N", Label: "matches", Help: "next, previous match", Group: screen.GroupFind, Gone: !found},
		{Name: "next-match", Keys: []string{"n"}, Command: "Next match", Group: screen.GroupRead, Do: screen.Intent{Name: toMatch, N: 1}, Gone: !found, Needed: noSearch},
		{Name: "previous-match", Keys: []string{"N"}, Command: "Previous match", Group: screen.GroupRead, Do: screen.Intent{Name: toMatch, N: -1}, Gone: !found, Needed: noSearch},
		{Name: "hidden", Keys: []string{"."}, Show: ".", Help: "notices of the client", Group: screen.GroupRead, Do: screen.Intent{Name: notices}, Gone: p.pane.out.Quiet == 0, Needed: "nothing is hidden"},
		{Name: "known", Keys: []string{"M"}, Show: "M", Label: knownLabel, Help: "what Claude still knows", Group: screen.GroupRead, Do: screen.Intent{Name: known}, Gone: !p.hasKnown(), Needed: "choose a session"},
		{Name: "follow", Keys: []string{"F"}, Show: "F", Help: "stay at the end", Group: screen.GroupRead, Do: screen.Intent{Name: follow}, Gone: doc, Needed: "choose a conversation"},
	}
	// the key M, which ends this mode, comes first
	if i := slices.IndexFunc(keys, func(b screen.Binding) bool { return b.Name == known }); p.pane.view.known {
		keys = slices.Concat(keys[i:i+1], keys[:i], keys[i+1:])
	}
	for i := range keys {
		b := &keys[i]
		if p.pane.view.known && (b.Do.Name == foldAll || b.Show == "( )") {
			b.Rank = screen.RankThird
		}
		if b.Do.Name == toBound && bounds {
			b.Command = map[int]string{1: "Next compaction", -1: "Previous compaction"}[b.Do.N]
		}
	}
	return keys
}

// pair returns the binding that the help shows for two keys in one line.
func pair(of, show, label, help string, there bool) screen.Binding {
	return screen.Binding{
		Pair: []string{"previous-" + of, "next-" + of}, Show: show, Label: label, Help: help, Group: screen.GroupRead, Gone: !there,
	}
}

// movement returns the keys that move up and down. The palette has the keys for the ends.
func movement() []screen.Binding {
	keys := screen.Movement("part")
	for i := range keys {
		if b := &keys[i]; b.Do.Name == screen.ToEnd {
			b.Group, b.Command = screen.GroupRead, map[int]string{-1: "Go to the start", 1: "Go to the end"}[b.Do.N]
		}
	}
	return keys
}
