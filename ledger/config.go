package ledger

import "strconv"

// Config has the keys of .loa.config.yaml that continuo reads (spec 002). The comment beside a field is its default.
// The scripts of Loa take precedence over the spec.
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

// Paths has the keys paths.*.
type Paths struct {
	Grimoire string // grimoires/loa
	Beads    string // .beads
}

// Memory has the keys memory.*.
type Memory struct {
	NotesFile               string // path below the root; "" means the NOTES.md in the grimoire
	TrajectoryDir           string // path below the root; "" means a2a/trajectory in the grimoire
	TrajectoryRetentionDays int    // 30
	AutoRestore             bool
}

// Enforcement is how strict a gate is about its findings.
type Enforcement string

// The enforcements.
const (
	Strict   Enforcement = "strict"
	Warn     Enforcement = "warn" // the default
	Disabled Enforcement = "disabled"
)

// Grounding has the keys grounding.*.
type Grounding struct {
	Threshold         float64 // 0.95
	Enforcement       Enforcement
	ZeroClaimPasses   bool
	Negative          Negative
	EnforcementSource string // the key that sets Enforcement; "" for the default
}

// Negative has the keys grounding.negative.*.
type Negative struct {
	Enabled               bool
	QueryCount            int     // 2
	SimilarityThreshold   float64 // 0.4
	DocMentionThreshold   int     // 3
	StrictModeBlocks      bool
	RequireDiverseQueries bool
}

// Checkpoint has the keys synthesis_checkpoint.*.
type Checkpoint struct {
	Enabled          bool
	EDD              bool
	MinTestScenarios int // 3
	EDDWarnOnly      bool
}

// Continuity has the keys session_continuity.*.
type Continuity struct {
	TieredRecovery bool
	Level1Tokens   int // the spec has 100, which is too little for real ledgers
	Level2Tokens   int // 500
	AutoRestore    bool
}

// Retrieval has the keys jit_retrieval.*.
type Retrieval struct {
	PreferCK        bool
	FallbackEnabled bool
	MaxLineRange    int // 100
}

// Context has the keys context_management.*.
type Context struct {
	ClientCompaction     bool
	PreserveNotes        bool
	SimplifiedCheckpoint bool
	AutoTrajectoryLog    bool
	AlwaysPreserve       []string
	Compactable          []string
	MaxEagerLines        int      // default 500; a longer file must be relevant to be loaded
	RequireRelevance     bool     // whether an excerpt of a longer file must be relevant too
	RelevanceKeywords    []string // words that make a file relevant
}

// Recursive has the keys recursive_jit.recovery.*.
type Recursive struct {
	SemanticEnabled      bool
	PreferCK             bool
	FallbackToPositional bool
}

// Attention has the keys attention_budget.*, in tokens.
type Attention struct {
	Yellow, Orange, Red int // 5000, 10000, 15000
}

// Retention has the keys trajectory.retention.*.
type Retention struct {
	// Older files are compressed to .jsonl.gz. The default is memory.trajectory_retention_days or 30. 0 means never.
	Days      int
	Archive   bool // true
	PurgeDays int  // 365
}

// Gate has the keys gate.*, which spec 002 doesn't have.
type Gate struct {
	Block []int // numbers of the gate steps that always block, from 1 to 7
}

// ConfigError is a problem in a config file. Help says how to fix it.
type ConfigError struct {
	File string
	Line int // from 1; 0 means the whole file
	What string
	Help string
}

// Error returns the file, the line and the problem as one line.
func (e *ConfigError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.What
	}
	return e.File + ":" + strconv.Itoa(e.Line) + ": " + e.What
}

// DefaultConfig returns the config of a project without a config file. Some defaults come from the scripts of Loa.
func DefaultConfig() Config {
	return Config{
		Paths:  Paths{Grimoire: "grimoires/loa", Beads: ".beads"},
		Memory: Memory{TrajectoryRetentionDays: 30, AutoRestore: true},
		Grounding: Grounding{
			Threshold: 0.95, Enforcement: Warn, ZeroClaimPasses: true,
			Negative: Negative{Enabled: true, QueryCount: 2, SimilarityThreshold: 0.4, DocMentionThreshold: 3, StrictModeBlocks: true, RequireDiverseQueries: true},
		},
		Checkpoint: Checkpoint{Enabled: true, EDD: true, MinTestScenarios: 3, EDDWarnOnly: true},
		Continuity: Continuity{TieredRecovery: true, Level1Tokens: 200, Level2Tokens: 500, AutoRestore: true},
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
