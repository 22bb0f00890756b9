package gate

// wordings are texts that others are held against, by the words that they have. A text is taken apart once, and is looked at
// only for the words that it shares.
type wordings struct {
	all    []wording
	having map[string][]int32 // the texts that have a word
	about  map[string][]int32 // those that are about it
	shared []int32            // of each text, while one is held against all
	steps  int                // texts that were looked at for a word
}

func (x *wordings) add(w wording) {
	if x.having == nil {
		x.having, x.about = map[string][]int32{}, map[string][]int32{}
	}
	n := int32(len(x.all)) //nolint:gosec // some thousand
	x.all = append(x.all, w)
	for word := range w.words {
		x.having[word] = append(x.having[word], n)
	}
	for word := range w.subject {
		x.about[word] = append(x.about[word], n)
	}
}

// count is how many of some words each text has.
func (x *wordings) count(words map[string]bool, in map[string][]int32) []int32 {
	if x.shared = x.shared[:min(len(x.shared), len(x.all))]; len(x.shared) < len(x.all) {
		x.shared = make([]int32, len(x.all))
	}
	clear(x.shared)
	for word := range words {
		list := in[word]
		x.steps += len(list)
		for _, n := range list {
			x.shared[n]++
		}
	}
	return x.shared
}

// aboutSame are the texts that are about the same as another one, in their order: they share half of what the shorter one is
// about, and a third of the other.
func (x *wordings) aboutSame(w *wording) []int {
	var same []int
	for i, n := range x.count(w.subject, x.about) {
		shared, small, big := int(n), len(w.subject), len(x.all[i].subject)
		if small > big {
			small, big = big, small
		}
		if shared > 0 && 2*shared >= small && 3*shared >= big {
			same = append(same, i)
		}
	}
	return same
}

// within reports whether all that a text says is in one of these.
func (x *wordings) within(w *wording) bool {
	if len(w.words) == 0 {
		return false
	}
	for i, n := range x.count(w.words, x.having) {
		o := &x.all[i]
		if int(n) == len(w.words) && (len(w.words) < len(o.words) || w.negated == o.negated) {
			return true
		}
	}
	return false
}
