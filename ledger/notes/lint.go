package notes

import "github.com/continuo-tui/continuo/ledger"

// Finding is an identifier that is not as the spec requires it (spec 002, Path Requirements).
type Finding struct {
	Line    int // from 1
	Col     int // bytes, from 1
	Ref     ledger.Ref
	Why     string // relative, hard-coded, without a line
	Right   string // what it should be; "" that cannot be told
	At, End int    // bytes of the text that Right replaces
}

// Lint finds the identifiers of a text that are relative, hard-coded or without a line. exists says whether a path below
// the root is a file: a relative word that is none is no identifier. Fenced code and comments are left alone.
func (n *Notes) Lint(root string, exists func(path string) bool) []Finding { return nil }

// Fix is the text with all findings corrected that have a Right; every other byte stays.
func (n *Notes) Fix(found []Finding) []byte { return n.Text }
