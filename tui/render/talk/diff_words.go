package talk

import (
	"strings"
	"unicode"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// The limits for marking changed words.
const (
	maxWordLine = 400    // maximum bytes of a line
	minAlike    = 1. / 3 // minimum share of two lines that must be the same
	nearLines   = 4      // added lines that are compared with a removed line
	maxJoined   = 3      // maximum bytes between two changes that are joined
)

// bounds is a range of bytes.
type bounds struct{ from, to int }

// markWords marks the changed words in a diff. It compares each removed line with the following added lines, up to a
// similar one.
func markWords(lines []shownLine) {
	for i := 0; i < len(lines); {
		removed := i
		for i < len(lines) && lines[i].sign == signRemoved {
			i++
		}
		added := i
		for i < len(lines) && lines[i].sign == signAdded {
			i++
		}
		next := added
		for r := removed; r < added; r++ {
			for a := next; a < min(next+nearLines, i); a++ {
				old, with, alike := changedWords(lines[r].code, lines[a].code)
				if alike {
					lines[r].words, lines[a].words, next = old, with, a+1
					break
				}
			}
		}
		if i == removed {
			i++
		}
	}
}

// changedWords returns the words that only one of two lines has. alike reports whether the lines are similar enough to
// mark words.
func changedWords(before, after string) (removed, added []bounds, alike bool) {
	if len(before) > maxWordLine || len(after) > maxWordLine {
		return nil, nil, false
	}
	a, b := splitWords(before), splitWords(after)
	var inA, inB []bounds
	for _, d := range lcs.DiffLines(a, b) {
		inA, inB = append(inA, bounds{d.Start, d.End}), append(inB, bounds{d.ReplStart, d.ReplEnd})
	}
	same := inkBytes(a) + inkBytes(b)
	all := same
	for i := range inA {
		same -= inkBytes(a[inA[i].from:inA[i].to]) + inkBytes(b[inB[i].from:inB[i].to])
	}
	if float64(same) < minAlike*float64(all) || all == 0 {
		return nil, nil, false
	}
	inA, inB = joined(a, inA, inB)
	return wordRanges(a, inA), wordRanges(b, inB), true
}

// joined joins two changes with only a few characters between them.
func joined(words []string, before, after []bounds) (a, b []bounds) {
	const few = 4
	for i := range before {
		if last := len(a) - 1; last >= 0 && inkBytes(words[a[last].to:before[i].from]) < few {
			a[last].to, b[last].to = before[i].to, after[i].to
			continue
		}
		a, b = append(a, before[i]), append(b, after[i])
	}
	return a, b
}

// splitWords splits a line into words, runs of blanks, and single other characters.
func splitWords(s string) []string {
	kind := func(r rune) int {
		switch {
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			return 1
		case r == ' ':
			return 2
		}
		return 0
	}
	var list []string
	from, last := 0, -1
	for i, r := range s {
		if k := kind(r); k != last || k == 0 {
			if i > from {
				list = append(list, s[from:i])
			}
			from, last = i, k
		}
	}
	if from < len(s) {
		list = append(list, s[from:])
	}
	return list
}

// inkBytes returns the number of bytes that aren't blanks.
func inkBytes(list []string) int {
	n := 0
	for _, s := range list {
		if s[0] != ' ' {
			n += len(s)
		}
	}
	return n
}

// wordRanges converts ranges of words into ranges of bytes without blanks at the ends. It joins near ranges, and closes
// brackets.
func wordRanges(list []string, changed []bounds) []bounds {
	var joined []bounds
	for _, c := range changed {
		for c.from < c.to && list[c.from][0] == ' ' {
			c.from++
		}
		for c.from < c.to && list[c.to-1][0] == ' ' {
			c.to--
		}
		if c.from == c.to {
			continue
		}
		if n := len(joined); n > 0 && isJoint(list[joined[n-1].to:c.from]) {
			joined[n-1].to = c.to
		} else {
			joined = append(joined, c)
		}
	}
	for i := range joined {
		c := &joined[i]
		text := strings.Join(list[c.from:c.to], "")
		if c.to < len(list) && strings.Contains(")]}", list[c.to]) && strings.Count(text, "(")+strings.Count(text, "[")+strings.Count(text, "{") >
			strings.Count(text, ")")+strings.Count(text, "]")+strings.Count(text, "}") {
			c.to++
		}
	}
	at, n := 0, 0 // at is the number of bytes before list[n]
	offset := func(i int) int {
		for ; n < i; n++ {
			at += len(list[n])
		}
		return at
	}
	for i, c := range joined {
		joined[i].from = offset(c.from)
		joined[i].to = offset(c.to)
	}
	return joined
}

// isJoint reports whether there are only a few signs between two changes.
func isJoint(list []string) bool {
	text := strings.Join(list, "")
	return len(text) <= maxJoined && !strings.ContainsFunc(text, func(r rune) bool {
		return r == ' ' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
	})
}
