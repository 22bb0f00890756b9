package sessions

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
)

// Chain is a sequence of linked documents. Each document continues the next one in Rows
// (previous_session, spec 000).
type Chain struct {
	Rows []*Row // never empty; the first document has no successor
	End  ChainEnd
	Note string // describes the problem or fork at the end; a clean sentence without a period
	Fork *Row   // with ChainFork: the document in another chain that the last row continues
}

// ChainEnd is the reason why a chain ends.
type ChainEnd string

// The reasons why a chain ends.
const (
	ChainFirst     ChainEnd = ""          // the last document continues no other document
	ChainFork      ChainEnd = "fork"      // a newer document, in another chain, continues the same previous document
	ChainMissing   ChainEnd = "missing"   // the previous document is missing
	ChainCycle     ChainEnd = "cycle"     // the last document links to itself, directly or through others
	ChainMalformed ChainEnd = "malformed" // the front matter of the last document is invalid
)

// Linked reports whether any document of the chain continues another document.
func (c *Chain) Linked() bool { return len(c.Rows) > 1 || c.Fork != nil }

// Placed reports whether the whole chain is known.
func (c *Chain) Placed() bool {
	return c.End == ChainFirst || c.End == ChainFork
}

// Chains links documents by their previous_session and returns the chains. The chain with the newest document comes
// first. Each document in rows is in one chain. previous_session is the name or path of a document, with or without
// .md. Chains looks for the path, then for the name in the same folder, then for the name in the same project.
func Chains(rows []*Row) []Chain {
	w := newLinker(rows)
	for i := range w.rows {
		w.link(i)
	}
	w.cutCycles()
	for i, to := range w.previous { // rows are sorted, so the newest successor wins
		if to >= 0 && w.next[to] < 0 {
			w.next[to] = i
		}
	}
	type found struct {
		chain  Chain
		newest int
	}
	var all []found
	for i := range w.rows {
		if w.next[i] < 0 {
			c, newest := w.chain(i)
			all = append(all, found{c, newest})
		}
	}
	slices.SortFunc(all, func(a, b found) int { return cmp.Compare(a.newest, b.newest) })
	chains := make([]Chain, len(all))
	for i := range all {
		chains[i] = all[i].chain
	}
	return chains
}

// linker is the state of Chains. Documents are indexes in rows; -1 is none.
type linker struct {
	rows     []*Row // newest first
	previous []int  // previous[i] is the document that document i continues
	next     []int  // next[i] is the newest document that continues document i
	end      []ChainEnd
	note     []string

	byPath            map[string]int
	byFolder, byPlace map[[2]string]int // {folder, name} or {project, name} → newest document
}

func newLinker(rows []*Row) *linker {
	w := &linker{byPath: map[string]int{}, byFolder: map[[2]string]int{}, byPlace: map[[2]string]int{}}
	for _, r := range rows {
		if r != nil && r.Kind == KindDocument {
			w.rows = append(w.rows, r)
		}
	}
	slices.SortStableFunc(w.rows, (*Row).Compare)
	n := len(w.rows)
	w.previous, w.next, w.end, w.note = make([]int, n), make([]int, n), make([]ChainEnd, n), make([]string, n)
	for i := n - 1; i >= 0; i-- {
		r := w.rows[i]
		w.previous[i], w.next[i] = -1, -1
		name := documentName(r.Path)
		w.byPath[strings.TrimSuffix(slashPath(r.Path), ".md")] = i
		w.byFolder[[2]string{r.Workdir, name}] = i
		if r.Project != "" {
			w.byPlace[[2]string{r.Project, name}] = i
		}
	}
	return w
}

// slashPath returns a path with forward slashes. Documents may have Windows paths.
func slashPath(p string) string { return path.Clean(strings.ReplaceAll(p, `\`, "/")) }

// documentName returns the base name of a document without .md.
func documentName(p string) string { return strings.TrimSuffix(path.Base(slashPath(p)), ".md") }

// namedFile returns the file name of a document for use in a sentence.
func namedFile(p string) string { return transcript.CleanLine(documentName(p)) + ".md" }

// link finds the previous document of document i.
func (w *linker) link(i int) {
	r := w.rows[i]
	switch to := w.find(r); {
	case r.Previous == "" && r.Malformed:
		w.end[i], w.note[i] = ChainMalformed, "cannot be placed: "+r.Reason
	case r.Previous == "":
	case to < 0:
		w.end[i], w.note[i] = ChainMissing, "continues "+namedFile(r.Previous)+", which is missing"
	default:
		w.previous[i] = to
	}
}

// find returns the index of the previous document, or -1. A name may match another document in the project: a wrong
// link does less harm than a missing one.
func (w *linker) find(r *Row) int {
	if r.Previous == "" {
		return -1
	}
	ref := strings.TrimSuffix(slashPath(r.Previous), ".md")
	name := documentName(r.Previous)
	at := path.Dir(slashPath(r.Path))
	for _, p := range [...]string{ref, path.Join(at, ref), path.Join(slashPath(r.Workdir), ref), path.Join(at, name)} {
		if i, ok := w.byPath[p]; ok && (w.rows[i].Workdir == r.Workdir || r.Project != "" && w.rows[i].Project == r.Project) {
			return i
		}
	}
	if i, ok := w.byFolder[[2]string{r.Workdir, name}]; ok {
		return i
	}
	if i, ok := w.byPlace[[2]string{r.Project, name}]; ok && r.Project != "" {
		return i
	}
	return -1
}

// cutCycles breaks each cycle: its oldest document loses its previous document.
func (w *linker) cutCycles() {
	walk := make([]int, len(w.rows)) // 1 + index of the document whose walk first reached this one, or 0
	for i := range w.rows {
		at := i
		for at >= 0 && walk[at] == 0 {
			walk[at] = i + 1
			at = w.previous[at]
		}
		if at >= 0 && walk[at] == i+1 {
			oldest := at
			for j := w.previous[at]; j != at; j = w.previous[j] {
				oldest = max(oldest, j)
			}
			to := w.previous[oldest]
			w.previous[oldest], w.end[oldest] = -1, ChainCycle
			if w.note[oldest] = "links to itself"; to != oldest {
				w.note[oldest] += " through " + namedFile(w.rows[to].Path)
			}
		}
	}
}

// chain returns the chain that starts at document i, which has no successor. newest is the index of its newest
// document, because dates may not follow the links.
func (w *linker) chain(i int) (c Chain, newest int) {
	newest = i
	for {
		newest = min(newest, i)
		c.Rows = append(c.Rows, w.rows[i])
		to := w.previous[i]
		if to < 0 {
			c.End, c.Note = w.end[i], w.note[i]
			return c, newest
		}
		if trunk := w.next[to]; trunk != i {
			c.End, c.Fork = ChainFork, w.rows[to]
			c.Note = "continues " + namedFile(c.Fork.Path) + ", as does the newer " + namedFile(w.rows[trunk].Path)
			return c, newest
		}
		i = to
	}
}
