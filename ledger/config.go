package ledger

import "strconv"

// Config holds the keys of .loa.config.yaml that continuo reads. Other keys are ignored. The names are from spec 002;
// the fact sheet has the names, the defaults and the precedence. A value in the comment of a field is its default.
type Config struct {
	Paths      Paths
	Memory     Memory
	Grounding  Grounding
	Checkpoint Checkpoint
	Continuity Continuity
	Retrieval  Retrieval
	Context    Context
	Recursive  Recursive
	Attention  Attention
	Retention  Retention
	Gate       Gate
}

// Paths holds the keys paths.*.
type Paths struct {
	Grimoire string // grimoires/loa
	Beads    string // .beads
}

// Memory holds the keys memory.*.
type Memory struct {
	NotesFile               string // below the root; "" NOTES.md of the grimoire
	TrajectoryDir           string // below the root; "" a2a/trajectory of the grimoire
	TrajectoryRetentionDays int    // 30
	AutoRestore             bool
}

// Enforcement is how strictly a gate treats its findings.
type Enforcement string

// The enforcements.
const (
	Strict   Enforcement = "strict"
	Warn     Enforcement = "warn" // the default
	Disabled Enforcement = "disabled"
)

// Grounding holds the keys grounding.*. Three keys can set the enforcement, see enforcementKeys.
type Grounding struct {
	Threshold         float64 // 0.95
	Enforcement       Enforcement
	ZeroClaimPasses   bool
	Negative          Negative
	EnforcementSource string // the key that set the enforcement; "" the default
}

// Negative holds the keys grounding.negative.*.
type Negative struct {
	Enabled               bool
	QueryCount            int     // 2
	SimilarityThreshold   float64 // 0.4
	DocMentionThreshold   int     // 3
	StrictModeBlocks      bool
	RequireDiverseQueries bool
}

// Checkpoint holds the keys synthesis_checkpoint.*.
type Checkpoint struct {
	Enabled          bool
	EDD              bool
	MinTestScenarios int // 3
	EDDWarnOnly      bool
}

// Continuity holds the keys session_continuity.*.
type Continuity struct {
	TieredRecovery bool
	Level1Tokens   int // 100
	Level2Tokens   int // 500
	AutoRestore    bool
}

// Retrieval holds the keys jit_retrieval.*.
type Retrieval struct {
	PreferCK        bool
	FallbackEnabled bool
	MaxLineRange    int // 100
}

// Context holds the keys context_management.*.
type Context struct {
	ClientCompaction     bool
	PreserveNotes        bool
	SimplifiedCheckpoint bool
	AutoTrajectoryLog    bool
	AlwaysPreserve       []string
	Compactable          []string
	MaxEagerLines        int      // 500; a longer file is loaded only if it is relevant
	RequireRelevance     bool     // false: an excerpt of a longer file is loaded
	RelevanceKeywords    []string // words that make a file relevant
}

// Recursive holds the keys recursive_jit.recovery.*.
type Recursive struct {
	SemanticEnabled      bool
	PreferCK             bool
	FallbackToPositional bool
}

// Attention holds the keys attention_budget.*, in tokens.
type Attention struct {
	Yellow, Orange, Red int // 5000, 10000, 15000
}

// Retention holds the keys trajectory.retention.*.
type Retention struct {
	Days      int  // 30; older files are compressed to .jsonl.gz; 0: never; if unset, memory.trajectory_retention_days
	Archive   bool // true
	PurgeDays int  // 365
}

// Gate holds the keys gate.*, which continuo adds to those of spec 002.
type Gate struct {
	Block []int // gate steps from 1 to 7 that block in addition to the first two
}

// ConfigError is a problem in a config: the file, the line, what is wrong, and how to fix it.
type ConfigError struct {
	File string
	Line int // from 1; 0 the whole file
	What string
	Help string
}

// Error returns the file, the line and the problem on one line. Help has the fix.
func (e *ConfigError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.What
	}
	return e.File + ":" + strconv.Itoa(e.Line) + ": " + e.What
}

// DefaultConfig returns the config of a project without a config file (fact sheet, "Config keys" and contradiction 12).
func DefaultConfig() Config {
	return Config{
		Paths:  Paths{Grimoire: "grimoires/loa", Beads: ".beads"},
		Memory: Memory{TrajectoryRetentionDays: 30, AutoRestore: true},
		Grounding: Grounding{
			Threshold: 0.95, Enforcement: Warn, ZeroClaimPasses: true,
			Negative: Negative{Enabled: true, QueryCount: 2, SimilarityThreshold: 0.4, DocMentionThreshold: 3, StrictModeBlocks: true, RequireDiverseQueries: true},
		},
		Checkpoint: Checkpoint{Enabled: true, EDD: true, MinTestScenarios: 3, EDDWarnOnly: true},
		Continuity: Continuity{TieredRecovery: true, Level1Tokens: 100, Level2Tokens: 500, AutoRestore: true},
		Retrieval:  Retrieval{PreferCK: true, FallbackEnabled: true, MaxLineRange: 100},
		Context: Context{
			ClientCompaction: true, PreserveNotes: true, SimplifiedCheckpoint: true, AutoTrajectoryLog: true,
			AlwaysPreserve: []string{"notes_session_continuity", "notes_decision_log", "trajectory_entries", "active_beads"},
			Compactable:    []string{"tool_results", "thinking_blocks", "verbose_debug", "redundant_file_reads", "intermediate_outputs"},
			MaxEagerLines:  500, RequireRelevance: true,
			RelevanceKeywords: []string{"export", "class", "interface", "function", "async", "api", "route", "handler"},
		},
		Recursive: Recursive{SemanticEnabled: true, PreferCK: true, FallbackToPositional: true},
		Attention: Attention{Yellow: 5000, Orange: 10000, Red: 15000},
		Retention: Retention{Days: 30, Archive: true, PurgeDays: 365},
	}
}
