package demo

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"path"
)

// part is what one session plays.
type part struct {
	project int // in the list of projects
	branch  string
	version string
	title   string // generated title
	summary string // in clients that wrote summaries
	sdk     bool
	run     func(*talk)
	end     func(*talk) // after the transcript has grown to its size
	bare    bool        // it does not grow
}

// role returns the part of session i. The first ones show every shape; all others run errands.
func role(i int) part {
	cast := []part{
		{project: 0, branch: "fix/token-race", title: "Fix refresh token race at midnight", run: midnight},
		{project: 1, branch: "main", title: "Keep the centimetres in the tide table", run: rounding},
		{project: 0, branch: "mail", title: "Rewrite the waitlist e-mails", run: waitlist},
		{project: 4, branch: "march", title: "The 02:14 that never leaves in March", run: missingTrain},
		{project: 0, branch: "cancel", run: cancellation},
		{project: 2, branch: "main", title: "Two reservations for one atlas", version: versionSpring, run: reservation},
		{project: 0, branch: "export", title: "Why is the nightly export slow?", run: export},
		{project: 0, branch: "main", title: "Six new teas for the menu", version: versionSpring, run: teas},
		{project: 5, branch: "main", title: "The press stops at the first umlaut", run: umlauts},
		{project: 0, branch: "slots", title: "Move the slot picker to the server", run: slots},
		{project: 1, branch: "breton", title: "Footnotes of the tide table in Breton", run: overloaded},
		{project: 2, branch: "import", title: "Import the old card catalogue", run: catalogue},
		{project: 3, branch: "main", title: "Seeds that may cross a border", run: borders},
		{project: 2, branch: "main", sdk: true, run: shelf},
		{project: 2, branch: "main", run: func(t *talk) { t.mark(ShapeEmpty) }, bare: true},
		{project: 1, branch: "main", title: "Which harbour fails the self test?", run: gauge},
		{project: 2, branch: "main", run: window, end: (*talk).tear},
		{project: 1, branch: "main", run: stub, bare: true},
		{project: 1, branch: "almanac", version: versionTodo, summary: "Almanac without a December", run: almanac},
		{project: 1, branch: "main", version: versionSidecar, run: lighthouse},
		{project: 5, branch: "main", title: "A typeface for the autumn cards", run: typeface},
		{project: 3, branch: "trials", title: "Germination trials as a chart", run: germination},
		{project: 4, branch: "print", title: "All stops on one postcard", run: stops},
		{project: 1, branch: "archive", title: "Postgres or SQLite for the archive?", run: archive},
	}
	if i < len(cast) {
		return cast[i]
	}
	return part{project: i, branch: "main", run: errand}
}

// newTalk begins session i. Its words depend on the seed and on i only.
func newTalk(o Options, i int, p *pool) *talk {
	c := role(i)
	rng := rand.New(rand.NewPCG(o.Seed, uint64(i)+1))
	if c.version == "" {
		c.version = versionNow
	}
	return &talk{
		rng: rng, id: newUUID(rng), cwd: path.Join(o.Root, projectName(c.project%o.Projects)), branch: c.branch,
		version: c.version, title: c.title, summary: c.summary, sdk: c.sdk, pool: p,
	}
}

// projectName returns the name of one of any number of projects.
func projectName(i int) string {
	names := []string{
		"teahouse", "tide-tables", "lantern-books", "seed-library", "night-train", "postcard-press",
		"orchard-map", "kite-weather", "clockmaker", "ferry-times", "star-almanac", "bread-calendar",
	}
	if round := i / len(names); round > 0 {
		return fmt.Sprintf("%s-%d", names[i%len(names)], round+1)
	}
	return names[i]
}

// play writes the transcript and lets it grow to n bytes.
func (c part) play(t *talk, n int) {
	c.run(t)
	if !c.bare {
		t.grow(n)
	}
	if c.end != nil {
		c.end(t)
	}
	if t.summary != "" {
		t.line(object{{"type", "summary"}, {"summary", t.summary}, {"leafUuid", t.parent}})
	}
}

// name is the name that a list shows.
func (t *talk) name() string {
	switch {
	case t.custom != "":
		return t.custom
	case t.title != "":
		return t.title
	case t.summary != "":
		return t.summary
	}
	return t.first
}

// budget spreads the bytes over the sessions about log-normally, as sizes of real transcripts are. It counts in
// integers, because floating point need not give the same bytes on every machine.
type budget struct {
	weights []int64
	sum     int64
	bytes   int64
}

func newBudget(o Options) *budget {
	b := &budget{weights: make([]int64, o.Sessions), bytes: o.Bytes}
	rng := rand.New(rand.NewPCG(o.Seed, math.MaxUint64))
	for i := range b.weights {
		if !role(i).bare {
			b.weights[i] = (64 + rng.Int64N(64)) << bits.OnesCount8(uint8(rng.Uint32()))
			b.sum += b.weights[i]
		}
	}
	return b
}

// share returns the size of session i. What earlier ones took too much or left is spread over the rest.
func (b *budget) share(i int) int {
	w := b.weights[i]
	if b.sum <= 0 || b.bytes <= 0 {
		return 0
	}
	share := b.bytes * w / b.sum
	b.sum -= w
	return int(share)
}

func (b *budget) spend(t *talk) {
	b.bytes -= int64(len(t.buf))
	for _, a := range t.agents {
		b.bytes -= int64(len(a.buf))
	}
}
