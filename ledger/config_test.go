package ledger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func configErrors(t *testing.T, err error) []string {
	t.Helper()
	var all []string
	for _, e := range Parts(err) {
		ce, ok := errors.AsType[*ConfigError](e)
		if !ok || ce.File != "f" || ce.Help == "" && ce.Line > 0 {
			t.Errorf("%T %v", e, e)
			continue
		}
		all = append(all, fmt.Sprintf("%d: %s", ce.Line, ce.What))
	}
	return all
}

func TestParseConfig(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       func(c *Config) // changes of the defaults
		problems   []string
	}{
		{name: "nothing", text: ""},
		{name: "comments", text: "# a: b\n\n   # c\n---\n"},
		{name: "unknown keys", text: "persistence_mode: standard\nmemory:\n  vector: {on: true}\nx: [a, b]\n"},
		{name: "nulls", text: "paths:\nmemory:\n  notes_file:\n  auto_restore: ~\ngrounding_enforcement: null\n"},
		{name: "false is false", text: "grounding:\n  negative:\n    enabled: false\nsynthesis_checkpoint:\n  enabled: false\n  edd: {enabled: false, warn_only: False}\n", want: func(c *Config) {
			c.Grounding.Negative.Enabled, c.Checkpoint.Enabled, c.Checkpoint.EDD, c.Checkpoint.EDDWarnOnly = false, false, false, false
		}},
		{name: "top enforcement", text: "synthesis_checkpoint:\n  grounding_enforcement: disabled\ngrounding: {enforcement: warn}\ngrounding_enforcement: Strict\n", want: func(c *Config) {
			c.Grounding.Enforcement, c.Grounding.EnforcementSource = Strict, "grounding_enforcement"
		}},
		{name: "enforcement of grounding", text: "synthesis_checkpoint:\n  grounding_enforcement: strict\ngrounding:\n  enforcement: disabled # not now\n", want: func(c *Config) {
			c.Grounding.Enforcement, c.Grounding.EnforcementSource = Disabled, "grounding.enforcement"
		}},
		{name: "last enforcement", text: "synthesis_checkpoint:\n  grounding_enforcement: strict\ngrounding:\n  enforcement: hard\n", want: func(c *Config) {
			c.Grounding.Enforcement, c.Grounding.EnforcementSource = Strict, "synthesis_checkpoint.grounding_enforcement"
		}, problems: []string{`4: grounding.enforcement is "hard"`}},
		{name: "threshold", text: "grounding:\n  threshold: 0.8\nsynthesis_checkpoint:\n  grounding_threshold: 0.7\n", want: func(c *Config) { c.Grounding.Threshold = 0.8 }},
		{name: "later threshold", text: "synthesis_checkpoint:\n  grounding_threshold: \"1\"\n", want: func(c *Config) { c.Grounding.Threshold = 1 }},
		{name: "attention", text: "attention_budget:\n  yellow: 1000\n  orange_threshold: 2_000\n  red: 30000\n", want: func(c *Config) {
			c.Attention = Attention{1000, 10000, 30000}
		}, problems: []string{`3: attention_budget.orange_threshold is "2_000"`}},
		{name: "steps that block", text: "gate:\n  block: [3, 7]\n", want: func(c *Config) { c.Gate.Block = []int{3, 7} }},
		{name: "steps that are none", text: "gate:\n  block: [3, 8]\n", problems: []string{`2: gate.block contains "8"`}},
		{name: "attention does not grow", text: "attention_budget:\n  green: 7\n  yellow: 12000\n", problems: []string{"3: attention_budget has yellow at 12000, orange at 10000, red at 15000"}},
		{name: "retention", text: "trajectory:\n  retention:\n    days: 0\n    archive: false\n    purge_days: 90\nmemory:\n  trajectory_retention_days: 14\n", want: func(c *Config) {
			c.Retention, c.Memory.TrajectoryRetentionDays = Retention{0, false, 90}, 14
		}},
		{name: "retention of memory", text: "memory:\n  trajectory_retention_days: 14\n", want: func(c *Config) {
			c.Retention.Days, c.Memory.TrajectoryRetentionDays = 14, 14
		}},
		{name: "lists", text: "context_management:\n  preservation_rules:\n    always_preserve:\n    - a\n    # b\n    - \"c\"\n    compactable: []\n", want: func(c *Config) {
			c.Context.AlwaysPreserve, c.Context.Compactable = []string{"a", "c"}, nil
		}},
		{name: "the rest", text: "paths: {grimoire: docs/loa, beads: .b}\nmemory:\n  notes_file: \"docs/N.md\"\n  trajectory_dir: t\n  auto_restore: false\n" +
			"session_continuity:\n  tiered_recovery: false\n  level1_tokens: 120\n  level2_tokens: 700\n  auto_restore: false\n" +
			"jit_retrieval: {prefer_ck: false, fallback_enabled: false, max_line_range: 9}\n" +
			"recursive_jit:\n  recovery:\n    semantic_enabled: false\n    prefer_ck: false\n    fallback_to_positional: false\n" +
			"context_management: {client_compaction: false, preserve_notes_md: false, simplified_checkpoint: false, auto_trajectory_log: false}\n" +
			"grounding:\n  zero_claim_passes: false\n  negative:\n    query_count: 3\n    similarity_threshold: 0.5\n    doc_mention_threshold: 4\n    strict_mode_blocks: false\n    require_diverse_queries: false\n" +
			"synthesis_checkpoint: {edd: {min_test_scenarios: 5}}\n", want: func(c *Config) {
			*c = Config{
				Paths: Paths{"docs/loa", ".b"}, Memory: Memory{"docs/N.md", "t", 30, false},
				Grounding:  Grounding{0.95, Warn, false, Negative{true, 3, 0.5, 4, false, false}, ""},
				Checkpoint: Checkpoint{true, true, 5, true}, Continuity: Continuity{false, 120, 700, false},
				Retrieval: Retrieval{false, false, 9}, Context: Context{
					AlwaysPreserve: c.Context.AlwaysPreserve, Compactable: c.Context.Compactable,
					MaxEagerLines: c.Context.MaxEagerLines, RequireRelevance: c.Context.RequireRelevance, RelevanceKeywords: c.Context.RelevanceKeywords,
				},
				Attention: c.Attention, Retention: c.Retention,
			}
		}},
		{name: "windows", text: "\uFEFFmemory:\r\n  auto_restore: false\r\n\r\n# x\r\n  trajectory_retention_days: many\r\n", want: func(c *Config) {
			c.Memory.AutoRestore = false
		}, problems: []string{`5: memory.trajectory_retention_days is "many"`}},
		{name: "types", text: "grounding: 5\nmemory:\n  notes_file: [a]\n  auto_restore: yes\n  trajectory_dir: {a: b}\n\n# here\nsession_continuity:\n  level1_tokens: 0\n  level2_tokens: 2.5\n  auto_restore: false\n" +
			"context_management:\n  preservation_rules:\n    compactable: a\n    always_preserve:\n      - a\n      - b: c\njit_retrieval:\n- a\n", want: func(c *Config) { c.Continuity.AutoRestore = false }, problems: []string{
			"1: grounding is a single value", "3: memory.notes_file is a list", `4: memory.auto_restore is "yes"`, "5: memory.trajectory_dir has keys below it",
			`9: session_continuity.level1_tokens is "0"`, `10: session_continuity.level2_tokens is "2.5"`,
			"14: context_management.preservation_rules.compactable is a single value", "17: context_management.preservation_rules.always_preserve has an item that is not a word",
			"18: jit_retrieval is a list",
		}},
		{name: "ratios", text: "grounding:\n  threshold: 95\n  negative: {similarity_threshold: .nan}\nsynthesis_checkpoint:\n  grounding_threshold: -0.1\n", problems: []string{
			`2: grounding.threshold is "95"`, `3: grounding.negative.similarity_threshold is ".nan"`, `5: synthesis_checkpoint.grounding_threshold is "-0.1"`,
		}},
		{name: "twice", text: "paths:\n  beads: .b\n  beads: .c\nmemory:\n  auto_restore: false\n\npaths:\n  grimoire: x\n", want: func(c *Config) {
			c.Paths.Beads, c.Memory.AutoRestore = ".b", false
		}, problems: []string{"3: paths.beads is set twice, first in line 2", "7: paths is set twice, first in line 1"}},
		{name: "broken in one place", text: "memory:\n  auto_restore: false\ngrounding:\n  threshold: 0.9\n bad\n   worse: [\npaths:\n  beads: .b\nother:\n  - \"open\n", want: func(c *Config) {
			c.Memory.AutoRestore, c.Paths.Beads = false, ".b"
		}, problems: []string{"5: grounding is not valid YAML", "10: other is not valid YAML"}},
		{name: "tab", text: "memory:\n\tauto_restore: false\npaths:\n  beads: .b\n", want: func(c *Config) { c.Paths.Beads = ".b" }, problems: []string{"2: memory is not valid YAML"}},
		{name: "aliases", text: "base: &b {enabled: false}\ngrounding:\n  threshold: &t 0.5\n  negative: *b\nsynthesis_checkpoint:\n  <<: *b\n  grounding_threshold: !!float 0.4\n", want: func(c *Config) {
			c.Grounding.Threshold = 0.5
		}, problems: []string{"4: grounding.negative is a YAML alias, which continuo does not follow", "6: continuo does not follow <<"}},
		{name: "in braces", text: "{memory: {auto_restore: false},\n paths: {beads: 5}}\n", want: func(c *Config) { c.Memory.AutoRestore, c.Paths.Beads = false, "5" }},
		{name: "quoted keys", text: "\"memory\":\n  'auto_restore': false\n", want: func(c *Config) { c.Memory.AutoRestore = false }},
		{name: "two documents", text: "%YAML 1.2\n---\npaths: {beads: a}\n---\npaths: {beads: b}\n", want: func(c *Config) { c.Paths.Beads = "a" }},
		{name: "no mapping", text: "\nhello\n", problems: []string{"2: it is not a list of keys and values"}},
		{name: "a list", text: "- a\n- b\n", problems: []string{"1: it is not a list of keys and values"}},
		{name: "binary", text: "paths:\n  beads: \x00\n", problems: []string{"2: it has a NUL byte"}},
		{name: "too long", text: strings.Repeat("#", maxConfig+1), problems: []string{"0: it has 1048577 bytes"}},
		{name: "brackets", text: "paths: " + strings.Repeat("[", 5000) + "\nmemory: {auto_restore: false}\nx: " + strings.Repeat("{", 5000), want: func(c *Config) { c.Memory.AutoRestore = false }, problems: []string{
			"1: paths is too long, or has too many brackets",
		}},
		{name: "path over lines", text: "paths:\n  beads: \"a\\nb\"\n  grimoire: \"\"\n", problems: []string{"2: paths.beads is \"a\\nb\"", `3: paths.grimoire is ""`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := DefaultConfig()
			if tt.want != nil {
				tt.want(&want)
			}
			got, _, err := parseConfig("f", []byte(tt.text))
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			problems := configErrors(t, err)
			ok := len(problems) == len(tt.problems)
			for i := range min(len(problems), len(tt.problems)) {
				ok = ok && strings.HasPrefix(problems[i], tt.problems[i])
			}
			if !ok {
				t.Errorf("got  %q\nwant %q", problems, tt.problems)
			}
		})
	}
}

func TestParseConfigHostile(t *testing.T) {
	t.Parallel()
	for _, part := range []string{
		"[", "{a: ", "- ", "? ", "a:\n - b\n", "&a ", "a: 1\n", "a: *a\n", "'", "\n", "\t", " a\n", "grounding:\n  a: 1\n", "x: |\n  a\n",
		"a: &a [*a, *a]\n", "---\n", "\"", "#\n", ": ", "paths: {beads: [\n",
	} {
		text := strings.Repeat(part, maxConfig/len(part))
		if _, _, err := parseConfig("f", []byte("memory:\n  auto_restore: 5\n"+text)); len(Parts(err)) > maxProblems {
			t.Errorf("%q: %d problems", part, len(Parts(err)))
		}
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte("paths: {beads: .b}\ngrounding:\n  threshold: 0.9\n  negative: &a\n    enabled: false\nmemory:\n- *a\n"))
	f.Add([]byte("context_management:\n  preservation_rules:\n    compactable: [a, 'b']\n\"x\": |\n  y\n---\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, _, err := parseConfig("f", text)
		for _, e := range Parts(err) {
			ce, ok := errors.AsType[*ConfigError](e)
			if lines := strings.Count(string(text), "\n") + 1; !ok || ce.Line < 0 || ce.Line > lines || strings.Contains(ce.What, "\n") {
				t.Fatalf("%+v of %d lines", e, lines)
			}
		}
		if a := c.Attention; !(c.Grounding.Threshold >= 0 && c.Grounding.Threshold <= 1) || a.Yellow > a.Orange || a.Orange > a.Red || c.Continuity.Level1Tokens < 1 {
			t.Fatalf("%+v", c)
		}
	})
}

// The sample is the config of Loa, at the commit of spec 002.
func TestParseConfigSample(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("CONTINUO_EXAMPLES")
	if dir == "" {
		t.Skip("CONTINUO_EXAMPLES is not set")
	}
	text, err := os.ReadFile(filepath.Join(dir, "002", "loa.config.seedcommit.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	want := DefaultConfig()
	want.Memory.NotesFile, want.Memory.TrajectoryDir = "grimoires/loa/NOTES.md", "grimoires/loa/a2a/trajectory"
	want.Grounding.EnforcementSource = "grounding.enforcement"
	want.Attention = Attention{Yellow: 5000, Orange: 7500, Red: 10000}
	want.Continuity.Level1Tokens = 100
	got, lines, err := parseConfig("f", text)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\ngot  %+v\nwant %+v", err, got, want)
	}
	for _, key := range []string{"grounding.threshold", "synthesis_checkpoint.edd.warn_only", "jit_retrieval.max_line_range", "trajectory.retention.archive", "context_management.preservation_rules.compactable"} {
		if lines[key] == 0 {
			t.Errorf("%s was not read", key)
		}
	}
}
