package notes

import (
	"path"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/mark"
	"github.com/continuo-tui/continuo/ledger"
)

// Finding is a code reference that violates spec 002, Path Requirements.
type Finding struct {
	Line    int // line number, from 1
	Col     int // column in bytes, from 1
	Ref     ledger.Ref
	Why     string // the problem: relative, hard-coded, or without a line number
	Right   string // the correct form; "" if unknown
	At, End int    // byte range of the text that Right replaces
}

// Values of Finding.Why.
const (
	whyRelative = "relative"
	whyHard     = "hard-coded"
	whyNoLine   = "without a line"
)

// Lint returns the code references that are relative, absolute or without a line number. exists reports whether a
// path below the root is a file. A relative path counts if its file exists, or if it is marked. Marks are a table of
// identifiers, a code span, brackets and a field of evidence. Code, comments, quotes of citations and template
// placeholders are skipped.
func (n *Notes) Lint(root string, exists func(path string) bool) []Finding {
	l := linter{n: n, root: strings.TrimRight(strings.ReplaceAll(root, `\`, "/"), "/"), exists: exists}
	s := n.scan(0, len(n.Text), 1)
	at := -1      // index of the section that contains the line
	para := false // the previous line is a paragraph
	for {
		line, ok := s.next()
		if !ok || len(l.found) >= maxEntries {
			return l.found
		}
		for at+1 < len(n.Sections) && n.Sections[at+1].Start <= line.lo {
			at++
		}
		if line.Kind != mark.Text {
			para = false
			continue
		}
		if line.Indent > 3 && !line.Nested && !para {
			continue // indented code
		}
		text := n.str[line.lo:line.hi]
		level, _ := mark.Heading(n.str[line.at:line.hi])
		para = level == 0 && !mark.IsRule(n.str[line.at:line.hi])
		table := at >= 0 && n.Sections[at].Kind == KindIdentifiers && strings.HasPrefix(strings.TrimSpace(text), "|")
		if table {
			l.cells(text, line)
		}
		l.line(text, line, table)
	}
}

type linter struct {
	n      *Notes
	root   string
	exists func(string) bool
	found  []Finding
}

// line checks the code references in a line of text. table is true for a row of a table of identifiers.
func (l *linter) line(text string, at line, table bool) {
	in, marks, from := append(commentsOf(text), quotesOf(text)...), 0, 0
	slices.SortFunc(in, func(a, b [2]int) int { return a[0] - b[0] })
	evidence := isEvidence(text)
	for _, r := range ledger.FindRefs(text) {
		for len(in) > 0 && in[0][1] <= r.At {
			in = in[1:]
		}
		if table && r.From == 0 || len(in) > 0 && in[0][0] <= r.At {
			continue // cells checks a cell; others are skipped
		}
		marks += strings.Count(text[from:r.At], "`")
		from = r.At
		l.look(r, at, table || isNamed(text, r, evidence || marks%2 == 1))
	}
}

// cells checks the cells of a row that have a code reference without a line number.
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

// isNamed reports whether a relative path with a line number is a code reference even if its file is missing. The
// path must have a file extension, and must be in brackets or marked.
func isNamed(text string, r ledger.RefAt, marked bool) bool {
	marked = marked || r.At > 0 && text[r.At-1] == '[' && strings.HasPrefix(text[r.End:], "]")
	return marked && r.Form == ledger.FormRelative && len(path.Ext(r.Path)) > 1
}

// isEvidence reports whether a line is a field of evidence.
func isEvidence(text string) bool {
	text = strings.ToLower(strings.TrimLeft(text, " \t-*_"))
	return strings.HasPrefix(text, "evidence:") || strings.HasPrefix(text, "evidence**:") || strings.HasPrefix(text, "evidence:**")
}

// commentsOf returns the ranges of the comments in a line.
func commentsOf(text string) [][2]int {
	var all [][2]int
	for at := 0; ; {
		i := strings.Index(text[at:], "<!--")
		if i < 0 {
			return all
		}
		i += at
		end := strings.Index(text[i:], "-->")
		if end < 0 {
			if !mark.InSpan(text, i) {
				all = append(all, [2]int{i, len(text)})
			}
			return all
		}
		at = i + end + len("-->")
		all = append(all, [2]int{i, at})
	}
}

// quotesOf returns the ranges of the quotes in a line: `code` [path:line].
func quotesOf(text string) [][2]int {
	var all [][2]int
	for span := range mark.Spans(text) {
		ref, ok := strings.CutPrefix(text[span.End:], " [")
		if !ok {
			continue
		}
		ref, _, ok = strings.Cut(ref, "]")
		if _, is := ledger.ParseRef(ref); ok && is {
			all = append(all, [2]int{span.At, span.End})
		}
	}
	return all
}

// Rooted returns an insertion in which all code references have the correct form. It also returns the findings whose
// correct form is unknown. It doesn't check the text around the insertion.
func (n *Notes) Rooted(i Insertion, root string, exists func(path string) bool) (Insertion, []Finding) {
	now := Parse(i.Apply(n.Text))
	end := i.At + len(i.Text)
	inside := slices.DeleteFunc(now.Lint(root, exists), func(f Finding) bool { return f.At < i.At || f.End > end })
	text := now.Fix(inside)
	i.Text = text[i.At : end+len(text)-len(now.Text)]
	return i, slices.DeleteFunc(inside, func(f Finding) bool { return f.Right != "" })
}

// look adds a finding for a code reference that has a problem. named means that the text counts as a code reference
// even if its file is missing.
func (l *linter) look(r ledger.RefAt, at line, named bool) {
	if isBlank(r.Raw) {
		return
	}
	f := Finding{Line: at.num, Col: r.At + 1, Ref: r.Ref, At: at.lo + r.At, End: at.lo + r.End}
	below := ""
	switch r.Form {
	case ledger.FormRooted:
		if r.From > 0 || !named && !l.exists(r.Path) {
			return
		}
		f.Why = whyNoLine
	case ledger.FormRelative:
		f.Why = whyRelative
		if !strings.HasPrefix(r.Path, "../") && l.exists(r.Path) {
			below = r.Path
		} else if !named {
			return
		}
	case ledger.FormHard:
		f.Why = whyHard
		below = l.below(r.Path)
	case ledger.FormHome:
		f.Why = whyHard
		below = l.belowHome(r.Path)
	}
	if below != "" {
		fixed := ledger.Ref{Path: below, From: r.From, To: r.To, Form: ledger.FormRooted}
		f.Right = fixed.String()
	}
	l.found = append(l.found, f)
}

// below returns an absolute path relative to the root. It returns "" for a path outside the root.
func (l *linter) below(p string) string {
	p = path.Clean(strings.ReplaceAll(p, `\`, "/"))
	rest, ok := strings.CutPrefix(p, l.root+"/")
	if !ok || l.root == "" {
		return ""
	}
	return rest
}

// belowHome converts a path such as ~/code/app/a.go to a path relative to the root. The home directory of the author
// is unknown, so two conditions must hold: the path after ~ starts with the last directories of the root (code/app),
// and the file exists. If not, belowHome returns "".
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

// Fix returns a text in which the code reference of each finding is replaced by Right. Findings without Right are
// skipped.
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
