package beads

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/ledger"
)

const (
	maxYAML      = 64 << 10 // maximum size of a YAML bead in bytes; the example of the spec has 2 KB
	maxYAMLDepth = 16       // maximum nesting of brackets; the example of the spec has none
)

// yamlBead has the schema of spec 002. A text may have any scalar type: the title 007 is a number.
type yamlBead struct {
	ID          any   `yaml:"id"`
	Title       any   `yaml:"title"`
	Description any   `yaml:"description"`
	Status      any   `yaml:"status"`
	Priority    any   `yaml:"priority"`
	Type        any   `yaml:"type"`
	Assignee    any   `yaml:"assignee"`
	Created     any   `yaml:"created"`
	Updated     any   `yaml:"updated"`
	Closed      any   `yaml:"closed"`
	Labels      []any `yaml:"labels"`
	Decisions   []struct {
		At        any `yaml:"ts"`
		Text      any `yaml:"decision"`
		Rationale any `yaml:"rationale"`
		Evidence  []struct {
			Path  any `yaml:"path"`
			Line  any `yaml:"line"`
			Quote any `yaml:"quote"`
		} `yaml:"evidence"`
	} `yaml:"decisions"`
	Scenarios []struct {
		Name     any `yaml:"name"`
		Type     any `yaml:"type"`
		Expected any `yaml:"expected"`
	} `yaml:"test_scenarios"`
	Handoffs []struct {
		Session    any `yaml:"session_id"`
		Ended      any `yaml:"ended"`
		Notes      any `yaml:"notes_ref"`
		Trajectory any `yaml:"trajectory_ref"`
		Ratio      any `yaml:"grounding_ratio"`
	} `yaml:"handoffs"`
	Next      []any `yaml:"next_steps"`
	Blockers  []any `yaml:"blockers"`
	Questions []any `yaml:"questions"`
}

// yamls reads the YAML beads in a directory. It skips config.yaml of br.
func (r *reader) yamls(ctx context.Context, root *disk.Root, dir string) error {
	f, err := root.Open(".")
	if err != nil {
		return fmt.Errorf("beads %s: %w", dir, disk.Cause(err))
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return fmt.Errorf("beads %s: %w", dir, disk.Cause(err))
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		return filepath.Ext(name) != ".yaml" || name == "config.yaml" || strings.HasPrefix(name, ".")
	})
	slices.Sort(names)
	for _, name := range names {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		file := filepath.Join(dir, name)
		data, err := readFile(root, name, maxYAML)
		if err != nil {
			r.problem(file, 0, yamlTrouble(err))
			continue
		}
		b, line, bad := parseYAML(data)
		if bad != "" {
			r.problem(file, line, bad)
		}
		if b != nil {
			b.File, b.Line = file, 1
			r.join(b)
		}
	}
	return nil
}

func yamlTrouble(err error) string {
	switch {
	case errors.Is(err, ledger.ErrTooLong):
		return "The file is longer than 64 KB and was left out."
	case errors.Is(err, ledger.ErrOutside):
		return "The file is a link that points outside the directory, and was left out."
	}
	return "The file cannot be read: " + disk.Cause(err).Error() + "."
}

// parseYAML parses a YAML bead. If the text isn't a bead, b is nil, and line and bad describe the problem. The line 0
// means the whole file.
func parseYAML(data []byte) (b *Bead, line int, bad string) {
	tokens := lexer.Tokenize(string(data))
	if line, bad = refuse(tokens); bad != "" {
		return nil, line, bad
	}
	file, err := parser.Parse(tokens, 0)
	var in yamlBead
	if err == nil && len(file.Docs) > 0 && file.Docs[0].Body != nil {
		err = yaml.NodeToValue(file.Docs[0].Body, &in)
	}
	if err != nil {
		what := err.Error()
		if e, ok := errors.AsType[yaml.Error](err); ok {
			what = e.GetMessage()
			if t := e.GetToken(); t != nil && t.Position != nil {
				line = t.Position.Line
			}
		}
		return nil, line, "The file isn't a YAML bead: " + what + "."
	}
	b = in.bead()
	if b.ID == "" {
		return nil, 0, "The file isn't a YAML bead: it has no ID."
	}
	return b, 0, ""
}

// refuse finds YAML that is expensive to parse. Nested brackets take quadratic time (10 s for 64 KB). Aliases can
// expand to any size.
func refuse(tokens token.Tokens) (line int, bad string) {
	depth, dashes, at := 0, 0, 0
	for _, t := range tokens {
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		case token.SequenceEntryType, token.MappingKeyType:
			if t.Position.Line != at {
				dashes, at = 0, t.Position.Line
			}
			dashes++
		case token.AnchorType, token.AliasType, token.MergeKeyType, token.TagType:
			return t.Position.Line, "The file has an anchor, an alias or a tag, which continuo doesn't read."
		default:
		}
		if depth > maxYAMLDepth || dashes > maxYAMLDepth {
			return t.Position.Line, "The file is nested too deeply."
		}
	}
	return 0, ""
}

func (in *yamlBead) bead() *Bead {
	b := &Bead{
		ID: scalar(in.ID), Title: scalar(in.Title), Description: scalar(in.Description), Status: scalar(in.Status), Type: scalar(in.Type),
		Assignee: scalar(in.Assignee), Priority: number(in.Priority), Created: stamp(in.Created), Updated: stamp(in.Updated), Closed: stamp(in.Closed),
		Labels: scalars(in.Labels), Next: scalars(in.Next), Blockers: scalars(in.Blockers), Questions: scalars(in.Questions),
	}
	for _, d := range in.Decisions {
		to := Decision{At: stamp(d.At), Text: scalar(d.Text), Rationale: scalar(d.Rationale)}
		for _, e := range d.Evidence {
			to.Evidence = append(to.Evidence, Evidence{Path: scalar(e.Path), Line: number(e.Line), Quote: scalar(e.Quote)})
		}
		b.Decisions = append(b.Decisions, to)
	}
	for _, s := range in.Scenarios {
		b.Scenarios = append(b.Scenarios, Scenario{Name: scalar(s.Name), Type: scalar(s.Type), Expected: scalar(s.Expected)})
	}
	for _, h := range in.Handoffs {
		to := Handoff{Session: scalar(h.Session), Ended: stamp(h.Ended), Notes: scalar(h.Notes), Trajectory: scalar(h.Trajectory)}
		ratio, err := strconv.ParseFloat(scalar(h.Ratio), 64)
		to.Ratio, to.HasRatio = ratio, err == nil
		b.Handoffs = append(b.Handoffs, to)
	}
	return b
}

// scalar returns a value as text; "" for null, a list or a map.
func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case time.Time:
		return v.Format(time.RFC3339Nano)
	case bool, int64, uint64, float64, int:
		return fmt.Sprint(v)
	}
	return ""
}

func scalars(list []any) []string {
	var texts []string
	for _, v := range list {
		if s := scalar(v); s != "" {
			texts = append(texts, s)
		}
	}
	return texts
}

func number(v any) int {
	n, err := strconv.ParseFloat(scalar(v), 64)
	if err != nil || math.Abs(n) > math.MaxInt32 || n != math.Trunc(n) {
		return 0
	}
	return int(n)
}

func stamp(v any) time.Time {
	t, _ := moment(scalar(v))
	return t
}

// join merges a YAML bead into the bead of issues.jsonl with the same ID. Of two YAML files with one ID, the first
// one counts.
func (r *reader) join(b *Bead) {
	if r.g.Shape == "" {
		r.g.Shape = "yaml"
	} else if r.g.Shape != "yaml" {
		r.g.Shape = "mixed"
	}
	at, ok := r.at[b.ID]
	if !ok {
		if r.at == nil {
			r.at = map[string]int{}
		}
		r.at[b.ID] = len(r.entries)
		r.entries = append(r.entries, entry{id: b.ID, line: b.Line, bead: b})
		return
	}
	e := &r.entries[at]
	if e.bead == nil {
		r.g.decoded++
		// The line is invalid JSON, which glance doesn't notice.
		if e.bead, _ = decode(e.raw, r.g.file, e.line); e.bead == nil {
			e.bead, e.raw = b, nil
			return
		}
		e.raw = nil
	}
	to := e.bead
	if filepath.Ext(to.File) == ".yaml" {
		r.problem(b.File, 0, "The ID "+b.ID+" is already in "+filepath.Base(to.File)+". The first one counts.")
		return
	}
	to.Description, to.Title = cmp.Or(to.Description, b.Description), cmp.Or(to.Title, b.Title)
	to.Decisions, to.Handoffs = append(to.Decisions, b.Decisions...), append(to.Handoffs, b.Handoffs...)
	to.Scenarios, to.Next = append(to.Scenarios, b.Scenarios...), append(to.Next, b.Next...)
	to.Blockers, to.Questions = append(to.Blockers, b.Blockers...), append(to.Questions, b.Questions...)
}
