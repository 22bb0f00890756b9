package notes

import (
	"path"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/ledger"
)

// Finding is an identifier that is not as the spec requires it (spec 002, Path Requirements).
type Finding struct {
	Line    int // from 1
	Col     int // bytes, from 1
	Ref     ledger.Ref
	Why     string // relative, hard-coded, without a line
	Right   string // what it should be; "" that cannot be told
	At, End int    // bytes of the text that Right replaces
}

// What Finding.Why says.
const (
	WhyRelative = "relative"
	WhyHard     = "hard-coded"
	WhyNoLine   = "without a line"
)

// Lint finds the identifiers of a text that are relative, hard-coded or without a line: places with a line, and what the
// tables of identifiers name. exists says whether a path below the root is a file: a relative word that is none is no
// identifier, but in those tables. Fenced code and comments are left alone, and so are the placeholders of the template.
func (n *Notes) Lint(root string, exists func(path string) bool) []Finding {
	l := linter{n: n, root: strings.TrimRight(strings.ReplaceAll(root, `\`, "/"), "/"), exists: exists}
	s := n.scan(0, len(n.Text), 1)
	at := -1 // the section that the line is in
	for {
		line, ok := s.next()
		if !ok || len(l.found) >= maxEntries {
			return l.found
		}
		for at+1 < len(n.Sections) && n.Sections[at+1].Start <= line.lo {
			at++
		}
		if line.kind != lineText {
			continue
		}
		text := n.str[line.lo:line.hi]
		table := at >= 0 && n.Sections[at].Kind == KindIdentifiers && strings.HasPrefix(strings.TrimSpace(text), "|")
		if table {
			l.cells(text, line)
		}
		for _, r := range ledger.FindRefs(text) {
			if table && r.From == 0 {
				continue // it was seen as a cell
			}
			l.look(r, line, table)
		}
	}
}

type linter struct {
	n      *Notes
	root   string
	exists func(string) bool
	found  []Finding
}

// cells looks at the cells of a row that are identifiers without a line.
func (l *linter) cells(text string, at line) {
	from := 0
	for from < len(text) {
		end := strings.IndexByte(text[from:], '|')
		if end < 0 {
			end = len(text) - from
		}
		cell := text[from : from+end]
		if r, ok := ledger.ParseRef(cell); ok && r.From == 0 && !isBlank(r.Raw) && (strings.Contains(r.Raw, "/") || l.exists(r.Path)) {
			if i := strings.Index(cell, r.Raw); i >= 0 {
				l.look(ledger.RefAt{Ref: r, At: from + i, End: from + i + len(r.Raw)}, at, true)
			}
		}
		from += end + 1
	}
}

// look takes an identifier down if something is wrong with it.
func (l *linter) look(r ledger.RefAt, at line, table bool) {
	if isBlank(r.Raw) {
		return
	}
	f := Finding{Line: at.num, Col: r.At + 1, Ref: r.Ref, At: at.lo + r.At, End: at.lo + r.End}
	below := ""
	switch r.Form {
	case ledger.FormRooted:
		if r.From > 0 || !table && !l.exists(r.Path) {
			return
		}
		f.Why = WhyNoLine
	case ledger.FormRelative:
		f.Why = WhyRelative
		if !strings.HasPrefix(r.Path, "../") && l.exists(r.Path) {
			below = r.Path
		} else if !table {
			return
		}
	case ledger.FormHard:
		f.Why = WhyHard
		below = l.below(r.Path)
	case ledger.FormHome:
		f.Why = WhyHard
		below = l.belowHome(r.Path)
	}
	if below != "" {
		fixed := ledger.Ref{Path: below, From: r.From, To: r.To, Form: ledger.FormRooted}
		f.Right = fixed.String()
	}
	l.found = append(l.found, f)
}

// below is what of an absolute path is below the root; "" it is elsewhere.
func (l *linter) below(p string) string {
	p = path.Clean(strings.ReplaceAll(p, `\`, "/"))
	rest, ok := strings.CutPrefix(p, l.root+"/")
	if !ok || l.root == "" {
		return ""
	}
	return rest
}

// belowHome is what of ~/… is below the root, if the root ends with what stands behind the home and the file is there:
// whose home it is the text does not say.
func (l *linter) belowHome(p string) string {
	p = path.Clean(strings.TrimPrefix(p, "~/"))
	for i := 1; i < len(l.root); i++ {
		if l.root[i] != '/' {
			continue
		}
		if rest, ok := strings.CutPrefix(p, l.root[i+1:]+"/"); ok && l.exists(rest) {
			return rest
		}
	}
	return ""
}

// Fix is the text with all findings corrected that have a Right; every other byte stays. It does not change n.
func (n *Notes) Fix(found []Finding) []byte {
	found = slices.Clone(found)
	slices.SortFunc(found, func(a, b Finding) int { return a.At - b.At })
	now := make([]byte, 0, len(n.Text)+64*len(found))
	at := 0
	for _, f := range found {
		if f.Right == "" || f.At < at || f.End > len(n.Text) || f.End < f.At {
			continue
		}
		now = append(append(now, n.Text[at:f.At]...), f.Right...)
		at = f.End
	}
	return append(now, n.Text[at:]...)
}
