package doctor

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
)

// attentionLimit is the time limit for the transcripts of live sessions, except for --line.
const attentionLimit = 2 * time.Second

// Status is what needs attention on this machine and in this project.
type Status struct {
	survey.Machine
	Here hereStatus
}

// NewStatusLook returns a MachineLook for this machine. If line is set, it doesn't count unreviewed backups.
func NewStatusLook(env *place.Env, dirs []string, line bool) *survey.MachineLook {
	known := func() []string { return place.KnownProjects(env.KnownPath()) }
	l := survey.NewMachineLook(dirs, env.Dir, env.Home, env.Now, known, place.HooksAct(env, dirs))
	l.Attention = (&place.Attentions{Env: env}).Live
	if !line {
		l.AttentionBy = attentionLimit // reads whole transcripts
		seen := sync.OnceValue(func() map[string]bool { return place.SeenBackups(env) })
		l.Unseen = func(ctx context.Context, project string) (int, error) {
			return backup.Unseen(ctx, project, env.Now(), seen())
		}
	}
	return l
}

// statusStaged is the staged recovery of this project.
type statusStaged struct {
	At     out.Time `json:"at"`     // null if unknown
	Tokens int      `json:"tokens"` // estimated; 0 if it won't be printed
	Until  out.Time `json:"until"`  // when it expires
	Why    string   `json:"why"`    // why it won't be printed, or ""
}

// NewStatusStaged converts a staged recovery for programs. It returns nil for nil.
func NewStatusStaged(s *survey.Staged) *statusStaged {
	switch {
	case s == nil:
		return nil
	case s.Err != nil:
		return &statusStaged{At: out.Time(s.At), Why: stagedTrouble(s.Err)}
	}
	return &statusStaged{At: out.Time(s.At), Tokens: s.Tokens, Until: out.Time(s.Until)}
}

// stagedTrouble returns why a staged recovery won't be printed.
func stagedTrouble(err error) string {
	for _, known := range []error{backup.ErrStagedOld, backup.ErrStagedAhead, backup.ErrStagedDamaged} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return out.Reason(err)
}

// StagedRow returns the row about a staged recovery.
func StagedRow(env *place.Env, s *statusStaged) statusRow {
	const away = "continuo recover --unstage"
	if s.Why != "" {
		return statusRow{render.Warn, "△", "staged", 1, "a recovery that will not be printed: " + s.Why, "", away}
	}
	fact := "a recovery of " + backups.AboutTokens(s.Tokens) + " since " + env.Moment(time.Time(s.At)) + "; the next start prints it"
	return statusRow{render.Faint, "·", "staged", 1, fact, "", away}
}
