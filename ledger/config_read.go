package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

const (
	// maxConfig is the maximum size of .loa.config.yaml in bytes. Real files have about 20 KB.
	maxConfig = 1 << 20
	// maxSection is the maximum size of a top-level key in bytes, without blank lines and comments. The parser takes
	// quadratic time: 0.04 s for the slowest known text of 8 KB.
	maxSection  = 8 << 10
	maxBrackets = 64
	// maxUnknown is the maximum size in bytes of parsed sections with unknown keys. They are parsed only to report
	// invalid YAML.
	maxUnknown  = 64 << 10
	maxProblems = 20 // maximum number of problems that are reported for a file

	laterThreshold = "synthesis_checkpoint.grounding_threshold" // used if grounding.threshold isn't set
)

// parseConfig reads the text of a .loa.config.yaml. It returns the config with all valid values, and the line of each
// key. The error joins a *ConfigError for each problem. Unknown keys are ignored.
//
// An error in a top-level key affects only that key. Aliases aren't followed, so a small file can't expand to a huge
// value.
func parseConfig(file string, text []byte) (Config, map[string]int, error) {
	r := configReader{file: file, config: DefaultConfig(), set: map[string]int{}, valid: map[string]bool{}}
	r.fields = configFields(&r.config)
	for i, key := range enforcementKeys() {
		r.fields[key] = enforcement(&r.words[i])
	}
	r.fields[laterThreshold] = ratio(&r.later)
	if len(text) > maxConfig {
		r.problem(0, fmt.Sprintf("it has %d bytes", len(text)), "continuo reads at most 1 MB.")
		return r.config, r.set, errors.Join(r.problems...)
	}
	if bytes.IndexByte(text, 0) >= 0 {
		r.problem(1+bytes.Count(text[:bytes.IndexByte(text, 0)], []byte("\n")), "it has a NUL byte", "Must be YAML.")
		return r.config, r.set, errors.Join(r.problems...)
	}
	r.read(text)
	r.join()
	return r.config, r.set, errors.Join(r.problems...)
}

// section is the text of one top-level key, without blank lines and comments.
type section struct {
	key   string
	text  []byte
	lines []int // for each line of text, the number of that line in the file
	open  bool  // the file is in braces, or isn't a mapping
}

type configReader struct {
	file     string
	config   Config
	fields   map[string]field
	set      map[string]int // line of each key that was read
	valid    map[string]bool
	words    [3]Enforcement // values of the three enforcementKeys
	later    float64        // laterThreshold
	unknown  int            // bytes of unknown sections that were parsed
	problems []error
}

func (r *configReader) problem(line int, what, help string) {
	if len(r.problems) < maxProblems {
		r.problems = append(r.problems, &ConfigError{File: r.file, Line: line, What: what, Help: help})
	}
}

// read splits the text at its top-level keys and reads each section.
func (r *configReader) read(text []byte) {
	var s section
	first := map[string]int{}
	done := func() {
		if at, twice := first[s.key]; twice && !s.open {
			r.problem(s.lines[0], fmt.Sprintf("%s is set twice, first in line %d", s.key, at), "The first one is used. Merge the two.")
		} else if len(s.lines) > 0 {
			first[s.key] = s.lines[0]
			r.section(s)
		}
		s = section{}
	}
	number := 0
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\uFEFF"))) {
		number++
		line = bytes.TrimRight(line, " \t\r\n")
		content := bytes.TrimLeft(line, " \t")
		if len(content) == 0 || content[0] == '#' {
			continue
		}
		if end := string(line); end == "---" || end == "..." || strings.HasPrefix(end, "--- #") {
			if done(); len(first) > 0 {
				return // only the first YAML document is read
			}
			continue
		}
		if line[0] == '%' && len(s.lines) == 0 && len(first) == 0 {
			continue // this line is a directive
		}
		if key, ok := topKey(line); ok && !s.open {
			done()
			s.key = key
		} else if len(s.lines) == 0 {
			s.open = true
		}
		s.text = append(append(s.text, line...), '\n')
		s.lines = append(s.lines, number)
	}
	done()
}

// topKey returns the key at the start of a line that isn't indented.
func topKey(line []byte) (string, bool) {
	if strings.IndexByte(" \t-?{}[]&*!|>%@`,", line[0]) >= 0 {
		return "", false
	}
	if quote := line[0]; quote == '"' || quote == '\'' {
		key, rest, ok := bytes.Cut(line[1:], line[:1])
		rest = bytes.TrimLeft(rest, " \t")
		return string(key), ok && len(rest) > 0 && rest[0] == ':'
	}
	for i, c := range line {
		if c == ':' && (i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t') {
			return string(bytes.TrimRight(line[:i], " \t")), i > 0
		}
		if c == '#' && i > 0 && (line[i-1] == ' ' || line[i-1] == '\t') {
			break
		}
	}
	return "", false
}

// syntaxError is the interface of a parser error. Its Error method returns several lines with an excerpt of the file.
// GetMessage returns only the message.
type syntaxError interface {
	error
	GetToken() *token.Token
	GetMessage() string
}

// section reads one top-level key.
func (r *configReader) section(s section) {
	known := s.open || r.knows(s.key)
	if !known {
		if r.unknown += len(s.text); r.unknown > maxUnknown {
			return
		}
	}
	if len(s.text) > maxSection || bytes.Count(s.text, []byte("[")) > maxBrackets || bytes.Count(s.text, []byte("{")) > maxBrackets {
		if known {
			r.problem(s.lines[0], named(s.key)+" is too long, or has too many brackets", "Its keys keep their defaults.")
		}
		return
	}
	doc, err := parser.ParseBytes(s.text, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		line, why := s.lines[0], ""
		if se, ok := errors.AsType[syntaxError](err); ok {
			why = ": " + se.GetMessage()
			if tk := se.GetToken(); tk != nil {
				line = s.line(tk)
			}
		}
		r.problem(line, named(s.key)+" is not valid YAML"+why, "Fix this line. Until then the keys around it keep their defaults.")
		return
	}
	for _, d := range doc.Docs {
		if d.Body == nil {
			continue
		}
		if !isMapping(d.Body) {
			r.problem(s.lines[0], "it is not a list of keys and values", "Example line: grounding_enforcement: warn")
			return
		}
		r.mapping(s, "", d.Body)
	}
}

func named(key string) string {
	if key == "" {
		return "it"
	}
	return key
}

// line returns the number of the line that contains a token.
func (s section) line(tk *token.Token) int {
	if tk == nil || tk.Position == nil {
		return s.lines[0]
	}
	return s.lines[min(max(tk.Position.Line, 1), len(s.lines))-1]
}

// knows reports whether continuo reads a key, or any key below it: "paths" for paths.beads.
func (r *configReader) knows(key string) bool {
	if _, ok := r.fields[key]; ok {
		return true
	}
	for k := range r.fields {
		if strings.HasPrefix(k, key+".") {
			return true
		}
	}
	return false
}

func isMapping(n ast.Node) bool {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return true
	}
	return false
}

// mapping reads the keys of a mapping. The parameter above is the prefix of their dotted names, such as "paths."; it
// is "" at the top level.
func (r *configReader) mapping(s section, above string, n ast.Node) {
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	}
	for _, v := range values {
		tk := v.Key.GetToken()
		key := above + strings.Trim(strings.TrimSpace(tk.Value), `"'`)
		line := s.line(tk)
		if v.Key.IsMergeKey() {
			r.problem(line, "continuo does not follow <<", "Write the keys out.")
			continue
		}
		if !r.knows(key) {
			continue
		}
		if at, twice := r.set[key]; twice {
			r.problem(line, fmt.Sprintf("%s is set twice, first in line %d", key, at), "The first one is used. Remove one.")
			continue
		}
		r.set[key] = line
		r.value(s, key, line, v.Value)
	}
}

// value reads the value of a key that continuo knows.
func (r *configReader) value(s section, key string, line int, n ast.Node) {
	for {
		if anchor, ok := n.(*ast.AnchorNode); ok {
			n = anchor.Value
		} else if tag, ok := n.(*ast.TagNode); ok {
			n = tag.Value
		} else {
			break
		}
	}
	f, leaf := r.fields[key]
	switch n := n.(type) {
	case nil, *ast.NullNode:
		delete(r.set, key) // null counts as not set
	case *ast.AliasNode:
		r.problem(line, key+" is a YAML alias, which continuo does not follow", "Write the value out.")
	case *ast.MappingNode, *ast.MappingValueNode:
		if leaf {
			r.problem(line, key+" has keys below it", f.help)
			return
		}
		r.mapping(s, key+".", n)
	case *ast.SequenceNode:
		if !leaf || f.list == nil {
			r.problem(line, key+" is a list", r.help(key))
			return
		}
		var list []string
		for _, v := range n.Values {
			item, ok := scalar(v)
			if !ok {
				r.problem(s.line(v.GetToken()), key+" has an item that is not a word", f.help)
				return
			}
			list = append(list, item)
		}
		if bad, ok := f.list(list); !ok {
			r.problem(line, fmt.Sprintf("%s contains %q", key, short(bad)), f.help)
		}
	default:
		text, ok := scalar(n)
		if !ok || !leaf || f.text == nil {
			r.problem(line, key+" is a single value", r.help(key))
		} else if !f.text(text) {
			r.problem(line, fmt.Sprintf("%s is %q", key, short(text)), f.help)
		} else {
			r.valid[key] = true
		}
	}
}

// join sets the fields that depend on several keys.
func (r *configReader) join() {
	c := &r.config
	for i, key := range enforcementKeys() {
		if r.words[i] != "" {
			c.Grounding.Enforcement, c.Grounding.EnforcementSource = r.words[i], key
			break
		}
	}
	if !r.valid["grounding.threshold"] && r.valid[laterThreshold] {
		c.Grounding.Threshold = r.later
	}
	if !r.valid["trajectory.retention.days"] && r.valid["memory.trajectory_retention_days"] {
		c.Retention.Days = c.Memory.TrajectoryRetentionDays
	}
	if a := c.Attention; a.Yellow > a.Orange || a.Orange > a.Red {
		line := 0
		for key, at := range r.set {
			if strings.HasPrefix(key, "attention_budget.") {
				line = max(line, at)
			}
		}
		r.problem(line, fmt.Sprintf("attention_budget has yellow at %d, orange at %d, red at %d", a.Yellow, a.Orange, a.Red), "They must increase in this order. Set all three.")
		c.Attention = DefaultConfig().Attention
	}
}

// help returns a sentence about the valid values of a key.
func (r *configReader) help(key string) string {
	if f, ok := r.fields[key]; ok {
		return f.help
	}
	return "Needs indented keys below it."
}

// short cuts a text to 40 characters, so that a message about it fits on one line.
func short(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

// scalar returns the text of a single value, without its YAML type: 0.95 and "0.95" have the same text.
func scalar(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return strings.TrimSpace(n.Value), true
	case *ast.LiteralNode:
		return strings.TrimSpace(n.Value.Value), true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return strings.TrimSpace(n.GetToken().Value), true
	}
	return "", false
}
