package ledger

// Config is what continuo knows of .loa.config.yaml (spec 002 and the fact sheet, which has names, defaults and
// precedence). Other keys are kept out of it and out of the way.
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
}

// Paths are paths.*.
type Paths struct {
	Grimoire string // grimoires/loa
	Beads    string // .beads
}

// Memory is memory.*.
type Memory struct {
	NotesFile               string // below the root; "" NOTES.md of the grimoire
	TrajectoryDir           string
	TrajectoryRetentionDays int // 30
	AutoRestore             bool
}

// Enforcement is how a gate holds what it finds.
type Enforcement string

// The enforcements.
const (
	Strict   Enforcement = "strict"
	Warn     Enforcement = "warn" // the default
	Disabled Enforcement = "disabled"
)

// Grounding is grounding.*, with the three places of the enforcement joined.
type Grounding struct {
	Threshold         float64 // 0.95
	Enforcement       Enforcement
	ZeroClaimPasses   bool
	Negative          Negative
	EnforcementSource string // the key that said so, "" the default
}

// Negative is grounding.negative.*.
type Negative struct {
	Enabled               bool
	QueryCount            int     // 2
	SimilarityThreshold   float64 // 0.4
	DocMentionThreshold   int     // 3
	StrictModeBlocks      bool
	RequireDiverseQueries bool
}

// Checkpoint is synthesis_checkpoint.*.
type Checkpoint struct {
	Enabled          bool
	EDD              bool
	MinTestScenarios int // 3
	EDDWarnOnly      bool
}

// Continuity is session_continuity.*.
type Continuity struct {
	TieredRecovery bool
	Level1Tokens   int // 100
	Level2Tokens   int // 500
	AutoRestore    bool
}

// Retrieval is jit_retrieval.*.
type Retrieval struct {
	PreferCK        bool
	FallbackEnabled bool
	MaxLineRange    int // 100
}

// Context is context_management.*.
type Context struct {
	ClientCompaction     bool
	PreserveNotes        bool
	SimplifiedCheckpoint bool
	AutoTrajectoryLog    bool
	AlwaysPreserve       []string
	Compactable          []string
}

// Recursive is recursive_jit.recovery.*.
type Recursive struct {
	SemanticEnabled      bool
	PreferCK             bool
	FallbackToPositional bool
}

// Attention is attention_budget.*, in tokens.
type Attention struct {
	Yellow, Orange, Red int // 5000, 10000, 15000
}

// Retention is trajectory.retention.*.
type Retention struct {
	Days      int  // 30: raw until then, then .jsonl.gz
	Archive   bool // true
	PurgeDays int  // 365
}

// ConfigError is what is wrong in a config: which file, where, what, and what would be right.
type ConfigError struct {
	File string
	Line int // from 1; 0 the whole file
	What string
	Help string
}

func (e *ConfigError) Error() string { return e.File + ": " + e.What }

// DefaultConfig is the config of a project that has none.
func DefaultConfig() Config { return Config{} }
