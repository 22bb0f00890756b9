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

// The limits of a Collector, which bound its memory.
const (
	maxBare   = 1_000  // number of listed claims without grounding
	maxGhosts = 10_000 // number of ghosts
	maxNames  = 10_000 // number of scenario names
	maxText   = 300    // length of the text of a claim in bytes
	maxAgents = 20     // number of agent names
)

// Claim is a claim without grounding.
type Claim struct {
	Text       string // one line; "" if the record has no text
	Assumption bool   // the record says that the claim is an assumption
	File       string
	Line       int // number of the line, from 1
}

// Claims has the claims, ghosts and scenarios that the gate reads from a trajectory.
type Claims struct {
	Tally    Tally
	Original Tally // counts of the original script of spec 002
	// OriginalGhosts is the number of lines that fail step 2 of the original script.
	OriginalGhosts int
	Agents         []string // agents that logged claims; at most 20
	Bare           []Claim  // claims without grounding; at most 1,000
	Ghosts         []Ghost  // one for each claim that something is missing, from its last record
	Scenarios      []string
	Unnamed        int // number of scenarios without a name
	Records        int
	Bad            int    // number of records that can't be parsed
	BadAt          string // file and line of the first of these records
	// Missed is the number of claims that the gate may have missed. Long is the number of records that were too long
	// to read.
	Missed, Long int
	Cut          string // a file that was too long to read completely; "" if there is none
	LostGhosts   int    // records about ghosts beyond the limit
}

// Collector makes Claims from the records of a trajectory, in a limited amount of memory.
type Collector struct {
	agent, day string // the agent whose claims count; "" means all agents
	script     string // name of the file for the original script of spec 002
	claims     Claims
	own        bool // the name of the current file has an agent
	original   bool // the original script reads the current file
	ghosts     map[string]int
	last       int // index of the last ghost; -1 if there is none
	named      map[string]bool

	// Counts for the current file: cites has the claims with the phase "cite". lines has the claims that the original
	// script counts.
	cites, lines int
	ended        bool // the original script counts the last line as a claim
}

// NewCollector returns a Collector for one agent and day, such as 2026-02-06. If agent is "", the claims of all
// agents count. script is the agent whose file the original script reads.
func NewCollector(agent, day, script string) *Collector {
	return &Collector{agent: agent, day: day, script: script + "-" + day + ".jsonl", ghosts: map[string]int{}, last: -1, named: map[string]bool{}}
}

// Wants reports whether the gate reads a file. It must be of the day, and of the agent or of no agent.
func (c *Collector) Wants(f *trajectory.File) bool {
	return f.Day == c.day && (f.Agent == "" || c.judges(f.Agent))
}

// judges reports whether the claims of an agent count. The records of continuo aren't claims.
func (c *Collector) judges(agent string) bool {
	if c.agent == "" {
		return agent != trajectory.SystemAgent
	}
	return agent == c.agent
}

// Open starts a file. The following calls of Line and Record are for this file.
func (c *Collector) Open(f *trajectory.File) {
	c.own = f.Agent != ""
	c.original = filepath.Base(f.Path) == c.script
	c.cites, c.lines, c.ended = 0, 0, false
}

// Shut ends a file. s has the problems that were found in the file.
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

// Line adds a raw line of the file.
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

// Record adds a record of the file.
func (c *Collector) Record(r *trajectory.Record) {
	if c.foreign(r) {
		return
	}
	c.claims.Records++
	c.take(r)
	c.within(r)
}

// foreign reports whether a record in a file without an agent names another agent.
func (c *Collector) foreign(r *trajectory.Record) bool {
	return !c.own && r.Agent != "" && !c.judges(r.Agent)
}

// take adds a record, or an object inside a record.
func (c *Collector) take(r *trajectory.Record) {
	phase := strings.ToLower(r.Phase)
	switch phase {
	case "negative_ground", "negative_grounding", "ghost_detection", "zero_results":
		c.ghost(r)
	}
	if r.Agent == "" { // a record without an agent counts only as a ghost
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

// Claims returns the collected claims, ghosts and scenarios.
func (c *Collector) Claims() Claims {
	all := c.claims
	all.Bare, all.Ghosts, all.Scenarios, all.Agents = slices.Clone(all.Bare), slices.Clone(all.Ghosts), slices.Clone(all.Scenarios), slices.Clone(all.Agents)
	return all
}

// cite counts the claims of a record with the phase cite: one for each citation, at least one. A citation with code,
// path and line is grounded. Any other citation has its own grounding, or the record's.
func (c *Collector) cite(r *trajectory.Record) {
	whole := groundingOf(r.Fields)
	each := r.Items("citations")
	if len(each) == 0 {
		c.claim(r, whole)
		return
	}
	for i := range each {
		fields := each[i].Fields // nil if the citation is a text
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
	if !slices.Contains(c.claims.Agents, r.Agent) && len(c.claims.Agents) < maxAgents {
		c.claims.Agents = append(c.claims.Agents, r.Agent)
	}
	if c.claims.Tally.add(grounding) || len(c.claims.Bare) >= maxBare {
		return
	}
	c.claims.Bare = append(c.claims.Bare, Claim{
		Text: textOf(r.Fields, "claim", "decision", "assumption", "statement"), Assumption: grounding == "assumption", File: r.File, Line: r.Line,
	})
}

// scenario counts a test scenario. It counts each name once.
func (c *Collector) scenario(name string) {
	switch key := fold(name); {
	case key == "", len(c.named) >= maxNames:
		c.claims.Unnamed++
	case !c.named[key]:
		c.named[key] = true
		c.claims.Scenarios = append(c.claims.Scenarios, name)
	}
}

// groundingOf returns the grounding of a record in lower case. The field may be an object, whose type counts.
func groundingOf(fields map[string]json.RawMessage) string {
	raw := fields["grounding"]
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) == nil && object != nil {
		return strings.ToLower(textOf(object, "type"))
	}
	return strings.ToLower(textOf(fields, "grounding"))
}

// textOf returns the first field that isn't empty, as one line without control characters. A field can be a text or a
// number.
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

// fold returns a text in the form for comparisons: in lower case, with one blank between words.
func fold(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
