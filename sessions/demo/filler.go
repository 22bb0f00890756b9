package demo

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// pool is made-up program output that tool results are cut from.
type pool struct {
	text  string
	lines []int // offsets at which a line begins
}

// newPool returns 256 KB of log lines: enough that two cuts seldom look the same.
func newPool(rng *rand.Rand) *pool {
	const size = 256 << 10
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	var b strings.Builder
	p := &pool{}
	for b.Len() < size {
		p.lines = append(p.lines, b.Len())
		switch rng.IntN(5) {
		case 0:
			fmt.Fprintf(&b, "level=info msg=\"gauge read\" harbour=%s height=%d.%02d trend=%s\n",
				pick("north", "amber-quay", "old-mole", "lantern-pier"), rng.IntN(6), rng.IntN(100), pick("rising", "falling", "slack"))
		case 1:
			fmt.Fprintf(&b, "ok  \t%s/%s\t%d.%03ds\n", pick("tides", "booking", "shelf", "seeds"),
				pick("store", "render", "clock", "intake", "mail"), rng.IntN(4), rng.IntN(1000))
		case 2:
			fmt.Fprintf(&b, "GET /%s/%d %d %d.%dms \"%s\"\n", pick("teas", "slots", "books", "timetable", "seeds"), rng.IntN(9000),
				[]int{200, 200, 200, 304, 404}[rng.IntN(5)], rng.IntN(80), rng.IntN(10), pick("Firefox", "Safari", "curl"))
		case 3:
			fmt.Fprintf(&b, "%s/%s_%03d.json  %6d bytes  %s\n", pick("data", "cache", "out"), pick("page", "shelf", "tide"),
				rng.IntN(1000), rng.IntN(90_000), pick("unchanged", "written", "skipped: same hash"))
		default:
			fmt.Fprintf(&b, "%s: %s %s, %s\n", pick("note", "debug", "trace"), pick("the kettle", "the shelf index", "the night train", "row"),
				pick("settled after", "needed", "was ready in", "waited for"), fmt.Sprintf("%d ms", rng.IntN(900)))
		}
	}
	p.text = b.String()
	return p
}

// cut returns about n bytes of whole lines, n more than the pool holds included.
func (p *pool) cut(rng *rand.Rand, n int) string {
	from := p.lines[rng.IntN(len(p.lines))]
	if n <= len(p.text)-from {
		end := from + n
		if i := strings.IndexByte(p.text[end:], '\n'); i >= 0 {
			end += i
		}
		return p.text[from:end]
	}
	var b strings.Builder
	b.Grow(n + len(p.text))
	for b.Len() < n {
		b.WriteString(p.text[from:])
		from = 0
	}
	return strings.TrimSuffix(b.String()[:n], "\n")
}

// outputSize draws the size of a tool's output as they are found in the wild: most of them small, 1 % tens of
// kilobytes (line lengths in real transcripts: median 1 KB, 90 % under 5 KB, 99 % under 31 KB).
func (t *talk) outputSize() int {
	switch n := t.rng.IntN(100); {
	case n < 60:
		return t.between(100, 1_200)
	case n < 90:
		return t.between(1_200, 5_000)
	case n < 99:
		return t.between(5_000, 15_000)
	}
	return t.between(15_000, 90_000)
}

// grow adds turns until the transcript has n bytes. The last output is cut to fit, so it ends within a few KB.
func (t *talk) grow(n int) {
	const around = 4 << 10 // what the records of a call take beside its output
	for left := n - len(t.buf); left > around; left = n - len(t.buf) {
		t.prompt(t.question())
		for range t.between(1, 6) {
			left = n - len(t.buf)
			if left < 2*around {
				break
			}
			// Output stands in a line twice, as the result and in toolUseResult.
			t.work(min(t.outputSize(), (left-around)/2))
		}
		t.answer(say(t.conclusion()))
		t.done()
	}
}

// turns adds n turns, whatever their size.
func (t *talk) turns(n int) {
	for range n {
		t.prompt(t.question())
		for range t.between(1, 4) {
			t.work(t.between(200, 2_000))
		}
		t.answer(say(t.conclusion()))
		t.done()
	}
}

// work is one call of a tool with n bytes of output.
func (t *talk) work(n int) {
	out := t.pool.cut(t.rng, n)
	switch t.rng.IntN(4) {
	case 0:
		name := fmt.Sprintf("%s/%s_%d.txt", t.pick("docs", "data", "testdata"), t.pick("notes", "sample", "log"), t.rng.IntN(500))
		t.answer(t.readText(name, out))
	case 1:
		pattern := t.pick("settled", "harbour=old-mole", "skipped", "needed")
		t.answer(think("Where else does this happen?"), t.grep(pattern, strings.Split(out, "\n")...))
	case 2:
		t.answer(say(t.pick("Next I run the tests.", "Let me check what it does now.", "One more run, to be sure.")),
			t.bash(t.pick("go test ./...", "make check", "npm test"), "Run the tests", out))
	default:
		t.answer(t.bash(t.pick("tail -n 200 var/log/today.log", "./bin/replay --since yesterday", "git log --stat -5"),
			"Look at the output", out))
	}
}

// question returns one of a few hundred different prompts.
func (t *talk) question() string {
	thing := t.pick(t.things()...)
	return fmt.Sprintf(t.pick(
		"Now look at %s and tell me what is slow.",
		"Does %s still do what the README says?",
		"Add a test for %s. The empty case too, it bit us last spring.",
		"Why does %s log so much? Keep the warnings, drop the rest.",
		"Can %s go without the lock? Read the code before you answer.",
		"Please run everything once more with %s turned off.",
		"Back to %s: the numbers of yesterday and today differ by one.",
		"Write down in two sentences how %s works, for the next person.",
	), thing)
}

// conclusion returns the end of a turn, with the kinds of markdown that answers have.
func (t *talk) conclusion() string {
	n := t.between(3, 40)
	return fmt.Sprintf(t.pick(
		"Done. %d files are touched, and the suite is green.\n\n- one clock, passed in by the caller\n- no global state\n- the old helper is gone",
		"The slow part is the second loop: it takes **%d ms** of every call.\n\n```go\nfor _, shelf := range shelves {\n\tindex[shelf.ID] = append(index[shelf.ID], shelf.Books...)\n}\n```\n\nA map of slices does it in one pass.",
		"Both runs agree now.\n\n| run | rows | took |\n| --- | ---: | ---: |\n| yesterday | %d | 1.2 s |\n| today | 41 | 0.9 s |\n\nThe difference was a row without a date.",
		"It does, with one exception:\n\n1. the README says %d retries, the code does three;\n2. nobody waits between them.\n\nI would correct the README.",
		"Found it. ~renderPage~ is called %d times because the cache key holds the time of day. Without it, once.",
	), n)
}
