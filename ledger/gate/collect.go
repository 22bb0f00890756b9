package gate

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/transcript"
)

// The bounds of a Collector: a trajectory may have any number of records.
const (
	maxBare   = 1_000  // claims that are kept to be listed
	maxGhosts = 10_000 // by their names
	maxNames  = 10_000 // of scenarios, to count each once
	maxText   = 300    // bytes of a claim that are kept
)

// Claim is a claim that rests on nothing.
type Claim struct {
	Text       string // one line; "" it does not say what it claims
	Assumption bool   // it says so itself
	File       string
	Line       int // from 1
}

// Claims is what the gate knows of a trajectory.
type Claims struct {
	Tally    Tally
	Original Tally // by the text of lines, of the one file that the script of spec 002 reads
	// OriginalGhosts are the lines that the script counts against step 2: unverified or highly ambiguous by their status.
	OriginalGhosts int
	Bare           []Claim // ungrounded, in the order of the files; the first 1,000
	Ghosts         []Ghost // each claim once, as its last record has it
	Scenarios      []string
	Unnamed        int // scenarios that have no name: each counts
	Records        int
	Bad            int    // stretches of text that are no record
	BadAt          string // file and line of the first
	// Missed are claims that there may be besides: what is no record, but for the end of a file, which may be being written,
	// and lines that the original sees a claim in where the records have none. Long of what is no record was too long.
	Missed, Long int
	Cut          string // file that was not read as a whole; "" none
	LostGhosts   int    // records of ghosts that there was no room for
}

// Collector takes in what the gate has to know of a trajectory, record by record, and holds nothing else of it.
type Collector struct {
	agent, day string
	claims     Claims
	own        bool // the file at hand is of the agent
	original   bool // the file at hand is the one that the original reads
	ghosts     map[string]int
	last       int // index of the ghost that was told of last, -1 none
	named      map[string]bool

	cites, lines int  // of the file at hand: records of the phase cite, and lines that have that phase by their text
	ended        bool // the last line has
}

// NewCollector makes a Collector for the trajectory of an agent on a day (2026-02-06).
func NewCollector(agent, day string) *Collector {
	return &Collector{agent: agent, day: day, ghosts: map[string]int{}, last: -1, named: map[string]bool{}}
}

// Wants reports whether a file is one that the gate looks at: that of the agent for the day, by either form of the day, and
// the one of the day that has no agent, for the ghosts in it (fact sheet 002, Ghosts).
func (c *Collector) Wants(f *trajectory.File) bool {
	return f.Day == c.day && (f.Agent == c.agent || f.Agent == "")
}

// Open begins a file: the records and lines that follow are of it.
func (c *Collector) Open(f *trajectory.File) {
	c.own = f.Agent == c.agent
	c.original = c.own && filepath.Base(f.Path) == c.agent+"-"+c.day+".jsonl"
	c.cites, c.lines, c.ended = 0, 0, false
}

// Shut ends a file, with what the reading of it came upon.
func (c *Collector) Shut(f *trajectory.File, s trajectory.Stats) {
	if c.claims.Bad == 0 && s.Bad > 0 {
		c.claims.BadAt = filepath.Base(f.Path) + ":" + number(s.FirstAt)
	}
	c.claims.Bad += s.Bad
	c.claims.Long += s.Long
	if s.Cut {
		c.claims.Cut = filepath.Base(f.Path)
	}
	bad, hidden := s.Bad, c.lines-c.cites
	if s.Torn {
		bad--
		if c.ended {
			hidden--
		}
	}
	c.claims.Missed += max(bad, hidden, 0)
}

// Line takes a line of the file as it stands.
func (c *Collector) Line(line []byte) {
	if !c.original {
		return
	}
	was := c.claims.Original.Claims
	c.claims.Original.line(line)
	c.ended = c.claims.Original.Claims > was
	c.lines += c.claims.Original.Claims - was
	for _, words := range []string{`"status":"unverified"`, `"status":"high_ambiguity"`} {
		if bytes.Contains(line, []byte(words)) {
			c.claims.OriginalGhosts++
		}
	}
}

// Record takes a record of the file.
func (c *Collector) Record(r *trajectory.Record) {
	if c.foreign(r) {
		return
	}
	c.claims.Records++
	c.take(r)
	c.within(r)
}

// foreign reports whether a record is of another agent, in a file of nobody.
func (c *Collector) foreign(r *trajectory.Record) bool {
	return !c.own && r.Agent != "" && r.Agent != c.agent
}

// take takes in a record, or an object within one.
func (c *Collector) take(r *trajectory.Record) {
	phase := strings.ToLower(r.Phase)
	switch phase {
	case "negative_ground", "negative_grounding", "ghost_detection", "zero_results":
		c.ghost(r)
	}
	if r.Agent == "" { // nobody's: of those only the ghosts count
		return
	}
	switch phase {
	case "cite":
		c.cites++
		c.cite(r)
	case "assumption":
		c.claim(r, "assumption")
	}
	if phase == "test_scenario" || textOf(r.Fields, "type") == "test_scenario" {
		c.scenario(textOf(r.Fields, "name", "scenario", "title", "description", "claim"))
	}
}

// Claims is what was taken in.
func (c *Collector) Claims() Claims {
	all := c.claims
	all.Bare, all.Ghosts, all.Scenarios = slices.Clone(all.Bare), slices.Clone(all.Ghosts), slices.Clone(all.Scenarios)
	return all
}

// cite counts a record of the phase cite: one claim, or one for each of its citations. A citation with code, path and line
// is one whatever the record says; another one has the grounding of itself or of the record (fact sheet 002).
func (c *Collector) cite(r *trajectory.Record) {
	whole := groundingOf(r.Fields)
	each := r.Items("citations")
	if len(each) == 0 {
		c.claim(r, whole)
		return
	}
	for i := range each {
		fields := each[i].Fields // a text has none of its own
		own := groundingOf(fields)
		switch {
		case textOf(fields, "code", "quote") != "" && textOf(fields, "path", "file") != "" && textOf(fields, "line", "lines") != "":
			own = "citation"
		case own == "":
			own = whole
		}
		c.claim(r, own)
	}
}

// claim counts one claim.
func (c *Collector) claim(r *trajectory.Record, grounding string) {
	if c.claims.Tally.add(grounding) || len(c.claims.Bare) >= maxBare {
		return
	}
	c.claims.Bare = append(c.claims.Bare, Claim{
		Text: textOf(r.Fields, "claim", "decision", "assumption", "statement"), Assumption: grounding == "assumption", File: r.File, Line: r.Line,
	})
}

// scenario counts a test scenario, each name once.
func (c *Collector) scenario(name string) {
	switch key := fold(name); {
	case key == "", len(c.named) >= maxNames:
		c.claims.Unnamed++
	case !c.named[key]:
		c.named[key] = true
		c.claims.Scenarios = append(c.claims.Scenarios, name)
	}
}

// groundingOf is the type of grounding of a record: a word, or an object that has it as its type.
func groundingOf(fields map[string]json.RawMessage) string {
	raw := fields["grounding"]
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) == nil && object != nil {
		return strings.ToLower(textOf(object, "type"))
	}
	return strings.ToLower(textOf(fields, "grounding"))
}

// textOf is the first of some fields that says something, on one clean line: a text, or a number as it is written.
func textOf(fields map[string]json.RawMessage, keys ...string) string {
	for _, key := range keys {
		raw := bytes.TrimSpace(fields[key])
		if len(raw) == 0 {
			continue
		}
		var s string
		switch {
		case raw[0] == '"' && json.Unmarshal(raw, &s) == nil:
		case raw[0] == '-', raw[0] >= '0' && raw[0] <= '9':
			s = string(raw)
		}
		if s = transcript.CleanLine(s[:min(len(s), 4*maxText)]); s == "" {
			continue
		}
		if len(s) > maxText {
			s = strings.ToValidUTF8(s[:maxText], "") + "…"
		}
		return s
	}
	return ""
}

// fold is a text by its words, to compare it with another one.
func fold(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
