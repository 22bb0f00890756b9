package gate

// wordings is an index of texts by their words. It avoids comparing texts without a common word.
type wordings struct {
	all    []wording
	having map[string][]int32 // word → the texts that contain it
	about  map[string][]int32 // word → the texts whose subject contains it
	shared []int32            // number of common words with each text
	steps  int                // number of visited texts; used in tests
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

// count returns the number of the given words in each text. in is the index to use. The next call overwrites the
// result.
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

// aboutSame returns the indexes of the texts about the same thing as w. Such a text shares half of the subject words
// of the shorter text, and a third of those of the longer text.
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

// within reports whether a text contains w and doesn't contradict it.
func (x *wordings) within(w *wording) bool {
	if len(w.words) == 0 {
		return false
	}
	for i, n := range x.count(w.words, x.having) {
		if int(n) == len(w.words) && !w.opposes(&x.all[i]) {
			return true
		}
	}
	return false
}
