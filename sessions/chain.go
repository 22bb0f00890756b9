package sessions

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
)

// Chain is a sequence of linked documents. Each continues the document after it in Rows (spec 000: previous_session).
type Chain struct {
	Rows []*Row // never empty; starts at the newest end, the document that no other continues
	End  ChainEnd
	Note string // problem or fork at the last row, a clean sentence without a period
	Fork *Row   // with ChainFork: the document in another chain that the last row continues, too
}

// ChainEnd is the reason why a chain ends.
type ChainEnd string

// The ends of chains.
const (
	ChainFirst     ChainEnd = ""          // its last document has no previous one
	ChainFork      ChainEnd = "fork"      // the previous document has a newer successor, which is in the main chain
	ChainMissing   ChainEnd = "missing"   // the previous document is missing
	ChainCycle     ChainEnd = "cycle"     // its last document links to itself, directly or through others
	ChainMalformed ChainEnd = "malformed" // the front matter of its last document is invalid, so the previous one is unknown
)

// Linked reports whether the documents are linked to another one.
func (c *Chain) Linked() bool { return len(c.Rows) > 1 || c.Fork != nil }

// Placed reports whether the position of the documents in a chain is known.
func (c *Chain) Placed() bool {
	return c.End == ChainFirst || c.End == ChainFork
}

// Chains links documents by their previous_session and returns the chains, the one with the newest document first. Each
// document among the rows is in exactly one chain. The previous document is looked up by name, with or without .md and
// a path: at that path, then in the folder that contains the memory, then in the project.
func Chains(rows []*Row) []Chain {
	w := newWeave(rows)
	for i := range w.rows {
		w.link(i)
	}
	w.cutCycles()
	for i, to := range w.previous { // newest first: the newest successor is the main chain
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

// weave holds the documents of one call of Chains by index. A negative index means none.
type weave struct {
	rows     []*Row // newest first
	previous []int  // the document that each one continues
	next     []int  // the newest document that continues it
	end      []ChainEnd
	note     []string

	byPath            map[string]int
	byFolder, byPlace map[[2]string]int // folder or project, and name → the newest
}

func newWeave(rows []*Row) *weave {
	w := &weave{byPath: map[string]int{}, byFolder: map[[2]string]int{}, byPlace: map[[2]string]int{}}
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

// slashPath returns a path with slashes. Documents may have paths of any system.
func slashPath(p string) string { return path.Clean(strings.ReplaceAll(p, `\`, "/")) }

// documentName is the name of a document without its folder and .md.
func documentName(p string) string { return strings.TrimSuffix(path.Base(slashPath(p)), ".md") }

// namedFile returns the file name of a document for use in a sentence.
func namedFile(p string) string { return transcript.CleanLine(documentName(p)) + ".md" }

// link finds the previous document of document i.
func (w *weave) link(i int) {
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

// find returns the index of the previous document, -1 if there is none. A wrong match in the same project does less
// harm than a lost link.
func (w *weave) find(r *Row) int {
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

// cutCycles breaks each cycle: it removes the link from the oldest document to its previous one.
func (w *weave) cutCycles() {
	walk := make([]int, len(w.rows)) // 1 + index of the document from which this one was first reached; 0: not reached
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

// chain returns the chain that starts at document i, which no other continues, and the index of its newest document.
// That may be another document, because dates and links may disagree.
func (w *weave) chain(i int) (c Chain, newest int) {
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
