package ledger

import (
	"strconv"
	"strings"
)

// field is a key of the config: how its value is read, and the help for a wrong value.
type field struct {
	text func(s string) bool // sets a single value; false for a wrong one; nil if the value must be a list
	list func([]string) (bad string, ok bool)
	help string
}

// enforcementKeys returns the keys that can set the enforcement. The first one that is set counts. They come from the
// scripts of Loa, from its config file, and from spec 002.
func enforcementKeys() [3]string {
	return [3]string{"grounding_enforcement", "grounding.enforcement", "synthesis_checkpoint.grounding_enforcement"}
}

const (
	mostDays   = 100 * 366
	mostTokens = 10_000_000
)

// configFields returns the keys that continuo reads, by their dotted names.
func configFields(c *Config) map[string]field {
	fields := map[string]field{
		"paths.grimoire":                   text(&c.Paths.Grimoire),
		"paths.beads":                      text(&c.Paths.Beads),
		"memory.notes_file":                text(&c.Memory.NotesFile),
		"memory.trajectory_dir":            text(&c.Memory.TrajectoryDir),
		"memory.trajectory_retention_days": number(&c.Memory.TrajectoryRetentionDays, 0, mostDays),
		"memory.auto_restore":              yes(&c.Memory.AutoRestore),

		"grounding.threshold":                         ratio(&c.Grounding.Threshold),
		"grounding.zero_claim_passes":                 yes(&c.Grounding.ZeroClaimPasses),
		"grounding.negative.enabled":                  yes(&c.Grounding.Negative.Enabled),
		"grounding.negative.query_count":              number(&c.Grounding.Negative.QueryCount, 1, 100),
		"grounding.negative.similarity_threshold":     ratio(&c.Grounding.Negative.SimilarityThreshold),
		"grounding.negative.doc_mention_threshold":    number(&c.Grounding.Negative.DocMentionThreshold, 0, 1_000_000),
		"grounding.negative.strict_mode_blocks":       yes(&c.Grounding.Negative.StrictModeBlocks),
		"grounding.negative.require_diverse_queries":  yes(&c.Grounding.Negative.RequireDiverseQueries),
		"synthesis_checkpoint.enabled":                yes(&c.Checkpoint.Enabled),
		"synthesis_checkpoint.edd.enabled":            yes(&c.Checkpoint.EDD),
		"synthesis_checkpoint.edd.min_test_scenarios": number(&c.Checkpoint.MinTestScenarios, 0, 1000),
		"synthesis_checkpoint.edd.warn_only":          yes(&c.Checkpoint.EDDWarnOnly),

		"session_continuity.tiered_recovery": yes(&c.Continuity.TieredRecovery),
		"session_continuity.level1_tokens":   number(&c.Continuity.Level1Tokens, 1, mostTokens),
		"session_continuity.level2_tokens":   number(&c.Continuity.Level2Tokens, 1, mostTokens),
		"session_continuity.auto_restore":    yes(&c.Continuity.AutoRestore),
		"jit_retrieval.prefer_ck":            yes(&c.Retrieval.PreferCK),
		"jit_retrieval.fallback_enabled":     yes(&c.Retrieval.FallbackEnabled),
		"jit_retrieval.max_line_range":       number(&c.Retrieval.MaxLineRange, 1, 1_000_000),

		"context_management.client_compaction":                  yes(&c.Context.ClientCompaction),
		"context_management.preserve_notes_md":                  yes(&c.Context.PreserveNotes),
		"context_management.simplified_checkpoint":              yes(&c.Context.SimplifiedCheckpoint),
		"context_management.auto_trajectory_log":                yes(&c.Context.AutoTrajectoryLog),
		"context_management.preservation_rules.always_preserve": words(&c.Context.AlwaysPreserve),
		"context_management.preservation_rules.compactable":     words(&c.Context.Compactable),
		"context_management.max_eager_load_lines":               number(&c.Context.MaxEagerLines, 0, 1_000_000_000),
		"context_management.require_relevance_check":            yes(&c.Context.RequireRelevance),
		"context_management.relevance_keywords":                 words(&c.Context.RelevanceKeywords),
		"recursive_jit.recovery.semantic_enabled":               yes(&c.Recursive.SemanticEnabled),
		"recursive_jit.recovery.prefer_ck":                      yes(&c.Recursive.PreferCK),
		"recursive_jit.recovery.fallback_to_positional":         yes(&c.Recursive.FallbackToPositional),
		"trajectory.retention.days":                             number(&c.Retention.Days, 0, mostDays),
		"trajectory.retention.archive":                          yes(&c.Retention.Archive),
		"trajectory.retention.purge_days":                       number(&c.Retention.PurgeDays, 0, mostDays),
		"gate.block":                                            steps(&c.Gate.Block),
	}
	for name, level := range map[string]*int{"yellow": &c.Attention.Yellow, "orange": &c.Attention.Orange, "red": &c.Attention.Red} {
		for _, suffix := range []string{"", "_threshold"} {
			fields["attention_budget."+name+suffix] = number(level, 1, mostTokens)
		}
	}
	return fields
}

func text(to *string) field {
	return field{help: "Must be a path below the project root.", text: func(s string) bool {
		if s == "" || strings.ContainsAny(s, "\x00\n") {
			return false
		}
		*to = s
		return true
	}}
}

func yes(to *bool) field {
	return field{help: "Must be true or false.", text: func(s string) bool {
		switch strings.ToLower(s) {
		case "true":
			*to = true
		case "false":
			*to = false
		default:
			return false
		}
		return true
	}}
}

func number(to *int, least, most int) field {
	help := "Must be a whole number from " + strconv.Itoa(least) + " to " + strconv.Itoa(most) + "."
	return field{help: help, text: func(s string) bool {
		n, err := strconv.Atoi(s)
		if err != nil || n < least || n > most {
			return false
		}
		*to = n
		return true
	}}
}

func ratio(to *float64) field {
	return field{help: "Must be a number from 0 to 1, such as 0.95.", text: func(s string) bool {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || !(f >= 0 && f <= 1) { // the negation also refuses NaN
			return false
		}
		*to = f
		return true
	}}
}

func words(to *[]string) field {
	return field{help: "Must be a list of words.", list: func(list []string) (string, bool) {
		*to = list
		return "", true
	}}
}

func steps(to *[]int) field {
	return field{help: "Must be a list of gate steps from 1 to 7, such as [3, 7].", list: func(list []string) (string, bool) {
		var out []int
		for _, word := range list {
			n, err := strconv.Atoi(word)
			if err != nil || n < 1 || n > 7 {
				return word, false
			}
			out = append(out, n)
		}
		*to = out
		return "", true
	}}
}

func enforcement(to *Enforcement) field {
	return field{help: "Must be strict, warn or disabled.", text: func(s string) bool {
		switch e := Enforcement(strings.ToLower(s)); e {
		case Strict, Warn, Disabled:
			*to = e
			return true
		}
		return false
	}}
}
