package gate

import (
	"bytes"
	"strconv"
	"strings"
)

// Tally counts claims by their grounding.
type Tally struct {
	Claims      int
	Citations   int // quotes of code
	References  int // references to code
	UserInput   int // claims that the user requested
	Assumptions int
}

// Grounded returns the number of grounded claims. In Claims.Original, it may exceed the number of claims.
func (t Tally) Grounded() int { return t.Citations + t.References + t.UserInput }

// Ratio returns the share of grounded claims; 1 if there are no claims.
func (t Tally) Ratio() float64 {
	if t.Claims == 0 {
		return 1
	}
	return float64(t.Grounded()) / float64(t.Claims)
}

// add counts a claim and reports whether it is grounded.
func (t *Tally) add(grounding string) bool {
	t.Claims++
	switch grounding {
	case "citation":
		t.Citations++
	case "code_reference":
		t.References++
	case "user_input":
		t.UserInput++
	case "assumption":
		t.Assumptions++
		return false
	default:
		return false
	}
	return true
}

// line counts a line like the original script, grounding-check.sh. The script searches for fixed texts, and counts
// groundings in records of every phase.
func (t *Tally) line(line []byte) {
	count := func(n *int, words string) {
		if bytes.Contains(line, []byte(words)) {
			*n++
		}
	}
	count(&t.Claims, `"phase":"cite"`)
	count(&t.Citations, `"grounding":"citation"`)
	count(&t.References, `"grounding":"code_reference"`)
	count(&t.UserInput, `"grounding":"user_input"`)
	count(&t.Assumptions, `"grounding":"assumption"`)
}

// decimals returns the ratio with a number of decimals, truncated. Rounding would show 0.9487 as 0.95, although it
// misses a threshold of 0.95.
func (t Tally) decimals(digits int) string {
	if t.Claims == 0 {
		return "1." + strings.Repeat("0", digits)
	}
	scale := 1
	for range digits {
		scale *= 10
	}
	n := t.Grounded() * scale / t.Claims
	rest := strconv.Itoa(n % scale)
	return strconv.Itoa(n/scale) + "." + strings.Repeat("0", digits-len(rest)) + rest
}

// needed returns a threshold with the decimals of the config, at least two.
func needed(threshold float64) string {
	s := strconv.FormatFloat(threshold, 'f', -1, 64)
	whole, rest, _ := strings.Cut(s, ".")
	for len(rest) < 2 {
		rest += "0"
	}
	return whole + "." + rest
}

// figure returns a ratio and its threshold, such as "0.97 (needs 0.95)". Different values look different.
func (t Tally) figure(threshold float64) string {
	const most = 6
	need := needed(threshold)
	digits := min(len(need)-strings.IndexByte(need, '.')-1, most)
	if t.Ratio() < threshold && digits < most {
		digits++
	}
	own := t.decimals(digits)
	for strings.HasSuffix(own, "0") && len(own)-strings.IndexByte(own, '.') > 3 {
		own = own[:len(own)-1]
	}
	return own + " (needs " + need + ")"
}
