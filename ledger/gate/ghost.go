package gate

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/trajectory"
)

// Ghost is a claim that a feature doesn't exist in the code, with the searches for the feature. The last record about
// a claim counts. If it has no queries, the queries of the previous one are kept.
type Ghost struct {
	Claim   string // one line; "" if unknown
	Queries []Query
	Docs    int    // number of documents that mention the feature; -1 if unknown
	Stated  string // the status in the record: unverified, high_ambiguity, confirmed or not-ghost; "" if none
	Audited string // the person who reviewed the claim
	At      time.Time
	File    string
	Line    int
}

// Query is a search for the subject of a Ghost.
type Query struct {
	Text string // "" if it wasn't logged
	Hits int
}

// maxQueries is the maximum number of queries of a ghost, and the maximum of grounding.negative.query_count. Queries
// with new words, and the first one with a hit, have room beyond it.
const maxQueries = 100

// add keeps a query only if it can change the standing of the ghost.
func (g *Ghost) add(q Query) {
	hit := func(q Query) bool { return q.Hits > 0 }
	switch n := len(g.Queries); {
	case n < maxQueries, n < 2*maxQueries && !slices.ContainsFunc(g.Queries, func(k Query) bool { return k.Text == q.Text }):
		g.Queries = append(g.Queries, q)
	case hit(q) && !slices.ContainsFunc(g.Queries, hit):
		g.Queries[n-1] = q
	}
}

// Standing is the result of the searches for a Ghost.
type Standing string

// The standings (spec 002 and the protocol, ghost matrix).
const (
	// No search found code. Few documents mention the feature, or a person has reviewed the claim.
	Confirmed Standing = "confirmed"
	NoGhost   Standing = "not-ghost" // a search found code
	// No search found code, but many documents mention the feature.
	Ambiguous  Standing = "high-ambiguity"
	Unverified Standing = "unverified" // required searches are missing
)

// lost is the index of a ghost beyond the limit.
const lost = -2

// ghost adds a record with a ghost.
func (c *Collector) ghost(r *trajectory.Record) {
	g := ghostOf(r)
	at := c.last
	if key := fold(g.Claim); key != "" {
		known := false
		if at, known = c.ghosts[key]; !known {
			if len(c.claims.Ghosts) >= maxGhosts {
				c.claims.LostGhosts++
				c.last = lost
				return
			}
			at = len(c.claims.Ghosts)
			c.ghosts[key] = at
			c.claims.Ghosts = append(c.claims.Ghosts, g)
			c.last = at
			return
		}
	}
	if at == lost { // the record belongs to a dropped ghost
		return
	}
	if at < 0 { // the record starts a new ghost
		c.last = len(c.claims.Ghosts)
		c.claims.Ghosts = append(c.claims.Ghosts, g)
		return
	}
	was := &c.claims.Ghosts[at]
	c.last = at
	if !g.At.IsZero() && g.At.Before(was.At) { // the new record is from another file, with an earlier time
		g, *was = *was, g
	}
	g.follow(was)
	*was = g
}

// follow fills the empty fields of a ghost from was, an earlier record.
func (g *Ghost) follow(was *Ghost) {
	if g.Claim == "" { // the protocol allows a record with a second query to have no claim
		own := g.Queries
		g.Claim, g.Queries = was.Claim, was.Queries
		for _, q := range own {
			g.add(q)
		}
	}
	if len(g.Queries) == 0 {
		g.Queries = was.Queries
	}
	if g.Docs < 0 {
		g.Docs = was.Docs
	}
	if g.Audited == "" {
		g.Audited = was.Audited
	}
}

func ghostOf(r *trajectory.Record) Ghost {
	f := r.Fields
	g := Ghost{Claim: textOf(f, "claim", "feature", "name"), Docs: -1, At: r.At, File: r.File, Line: r.Line}
	if n, ok := countOf(f, "doc_mentions", "docs", "doc_count", "documentation_mentions"); ok {
		g.Docs = n
	}
	for _, keys := range [...]struct{ text, hits []string }{
		{[]string{"query1", "query_1", "query"}, []string{"results1", "result1", "results_1", "result_1", "results", "result"}},
		{[]string{"query2", "query_2"}, []string{"results2", "result2", "results_2", "result_2"}},
		{[]string{"query3", "query_3"}, []string{"results3", "result3", "results_3", "result_3"}},
	} {
		if hits, ok := countOf(f, keys.hits...); ok {
			g.add(Query{textOf(f, keys.text...), hits})
		}
	}
	var listed []map[string]json.RawMessage
	_ = json.Unmarshal(f["queries"], &listed) // queries may be missing, or may not be a list
	for _, q := range listed {
		if hits, ok := countOf(q, "results", "result", "hits", "count"); ok {
			g.add(Query{textOf(q, "query", "text", "q"), hits})
		}
	}
	g.Stated, g.Audited = statedOf(f), auditorOf(f)
	return g
}

// auditorOf returns the name of the person who has reviewed a ghost. It returns "a person" without a name, and ""
// without a review. audited_by may be a state, such as "pending".
func auditorOf(f map[string]json.RawMessage) string {
	switch name := textOf(f, "audited_by"); strings.ToLower(name) {
	case "", "no", "none", "nobody", "false", "null", "n/a", "-", "?", "pending", "required", "tbd", "todo":
	default:
		return name
	}
	if isTrue(f, "human_audit", "audited", "audited_by") {
		return "a person"
	}
	return ""
}

// statedOf returns the standing that a record states.
func statedOf(f map[string]json.RawMessage) string {
	for _, key := range []string{"status", "classification"} {
		word := strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(textOf(f, key)))
		switch word {
		case "unverified", "unverified_ghost":
			return "unverified"
		case "high_ambiguity":
			return "high_ambiguity"
		case "not_ghost", "not_a_ghost", "exists", "found", "implemented":
			return "not-ghost"
		}
	}
	if strings.EqualFold(textOf(f, "ambiguity"), "high") || isTrue(f, "requires_human_audit") {
		return "high_ambiguity"
	}
	for _, key := range []string{"status", "classification"} {
		if word := strings.ToLower(textOf(f, key)); strings.Contains(word, "ghost") || word == "confirmed" || word == "verified" {
			return "confirmed"
		}
	}
	if isTrue(f, "confirmed_ghost") {
		return "confirmed"
	}
	return ""
}

func isTrue(f map[string]json.RawMessage, keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return string(bytes.TrimSpace(f[key])) == "true" })
}

// countOf returns the number in the first suitable field. It may be a number, a text with a number, or the length of
// a list.
func countOf(f map[string]json.RawMessage, keys ...string) (int, bool) {
	for _, key := range keys {
		raw := bytes.TrimSpace(f[key])
		if len(raw) == 0 {
			continue
		}
		if raw[0] == '[' {
			var list []json.RawMessage
			if json.Unmarshal(raw, &list) == nil {
				return len(list), true
			}
			continue
		}
		n, err := strconv.ParseFloat(strings.Trim(string(raw), `" `), 64)
		if err == nil && n >= 0 && n < math.MaxInt32 {
			return int(n), true
		}
	}
	return 0, false
}

// Stand returns the standing of the ghost, and the reason for Unverified and Ambiguous. The searches decide. The
// record's own standing counts only if it is not-ghost or worse.
func (g *Ghost) Stand(c *ledger.Negative) (Standing, string) {
	if slices.ContainsFunc(g.Queries, func(q Query) bool { return q.Hits > 0 }) || g.Stated == "not-ghost" {
		return NoGhost, ""
	}
	if n := len(g.Queries); n < c.QueryCount {
		logged := "no query is logged"
		if n > 0 {
			logged = counted(n, "query is", "queries are") + " logged"
		}
		return Unverified, logged + "; " + number(c.QueryCount) + " are required"
	}
	if c.RequireDiverseQueries {
		if why := g.alike(c.QueryCount); why != "" {
			return Unverified, why
		}
	}
	switch {
	case g.Stated == "unverified":
		return Unverified, "its record has this status"
	case g.Audited != "":
		return Confirmed, ""
	case g.Docs >= c.DocMentionThreshold:
		return Ambiguous, "no code contains the feature, and " + number(g.Docs) + " documents mention it"
	case g.Stated == "high_ambiguity":
		return Ambiguous, "its record has this status"
	}
	return Confirmed, ""
}

// alike returns a reason if a ghost has too few different queries (need). The order of words makes no difference.
func (g *Ghost) alike(need int) string {
	different := map[string]bool{}
	blank := 0
	for _, q := range g.Queries {
		words := strings.Fields(fold(q.Text))
		if len(words) == 0 {
			blank++
			continue
		}
		slices.Sort(words)
		different[strings.Join(slices.Compact(words), " ")] = true
	}
	switch {
	case len(different) >= need:
		return ""
	case blank > 0:
		return "the search words are not logged, so the queries can't be compared"
	}
	return "too few queries have different words"
}
