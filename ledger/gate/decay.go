package gate

import (
	"path"
	"slices"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/transcript"
)

// BigBody is the size in bytes from which a file in the context needs an identifier in NOTES.md. Spec 002 has 500
// tokens of 4 characters, or 50 lines of code.
const BigBody = 2_000

// listedBodies is the maximum number of listed files without an identifier, largest first.
const listedBodies = 12

// Session is the session whose context will be wiped.
type Session struct {
	ID      string
	Trouble string // why Bodies is unknown, as a sentence; "" if it is known
	// Bodies are project files with at least BigBody bytes in the context.
	Bodies []Body
	Output int64 // size of all other tool output in bytes, which needs no identifiers
}

// Body is a file in a context.
type Body struct {
	Path  string // relative to the root, with slashes; outside the root, the path of the tool call
	Bytes int64
	Lines int // highest line number that was read; 0 if unknown
}

// decay runs step 6. NOTES.md must have an identifier for each large file in the context.
func decay(f *Facts) Step {
	s := Step{Name: "Decay to identifiers", Status: Pass}
	switch {
	case f.Session.Trouble != "":
		s.Status, s.Figure = Warning, "unknown"
		s.More = append(s.More, f.Session.Trouble)
		return s
	case f.Session.ID == "":
		s.Figure, s.Note = "nothing to drop", "no session of this project was found"
		return s
	case len(f.Session.Bodies) == 0:
		s.Figure, s.Note = "nothing to drop", "no large file was read since the context began"
		return s
	}
	known := f.identified()
	var full, small int64
	for _, b := range f.Session.Bodies {
		full += b.Bytes
		if id, ok := known[path.Clean(b.Path)]; ok {
			small += id
			continue
		}
		small += b.Bytes
		if s.Findings = append(s.Findings, f.undecayed(&b)); len(s.Findings) > listedBodies {
			s.Findings, s.Left = s.Findings[:listedBodies], s.Left+1
		}
	}
	s.Figure = f.size(full) + " → " + f.size(small)
	s.Note = "every large file has an identifier"
	if n := len(s.Findings) + s.Left; n > 0 {
		s.Status = Warning
		s.Note = number(n) + " of " + counted(len(f.Session.Bodies), "large file", "large files") + " without an identifier"
	}
	if f.Session.Output > 0 {
		s.More = append(s.More, f.size(f.Session.Output)+" of other tool output will be lost. Run the tools again if you need it.")
	}
	return s
}

// undecayed returns the finding for a file that has no identifier.
func (f *Facts) undecayed(b *Body) Finding {
	name := transcript.CleanLine(b.Path)
	place := "${PROJECT_ROOT}/" + name + ":1"
	if b.Lines > 1 {
		place += "-" + number(b.Lines)
	}
	x := Finding{
		Title: name, What: f.size(b.Bytes) + " in the context, no identifier in NOTES.md",
		Fix: "add `" + place + "` to Lightweight Identifiers", File: f.NotesFile,
	}
	if f.Notes != nil {
		at := slices.IndexFunc(f.Notes.Sections, func(s notes.Section) bool { return s.Kind == notes.KindIdentifiers })
		if at < 0 {
			at = f.Notes.Continuity().Section
		}
		if at >= 0 {
			x.Line = f.Notes.Sections[at].Line
		}
	}
	return x
}

// identified returns the files with identifiers in NOTES.md, and the total length of the identifiers in bytes.
// Evidence counts as an identifier.
func (f *Facts) identified() map[string]int64 {
	known := map[string]int64{}
	if f.Notes == nil {
		return known
	}
	add := func(r *ledger.Ref) {
		if r.Form == ledger.FormRooted || r.Form == ledger.FormRelative {
			known[path.Clean(r.Path)] += int64(len(r.Raw))
		}
	}
	all := f.Notes.Identifiers()
	for i := range all {
		add(&all[i].Ref)
	}
	made := f.Notes.Decisions()
	for i := range made {
		for k := range made[i].Evidence {
			add(&made[i].Evidence[k].Ref)
		}
	}
	return known
}

// size returns a size in words.
func (f *Facts) size(n int64) string {
	if f.Size == nil {
		return number(int(n)) + " B"
	}
	return f.Size(n)
}
