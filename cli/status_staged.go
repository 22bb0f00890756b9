package cli

import (
	"errors"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
)

// statusStaged is a recovery that is staged in this project.
type statusStaged struct {
	At     out.Time `json:"at"`     // null: the file does not say
	Tokens int      `json:"tokens"` // an estimate; 0 where it is not printed
	Until  out.Time `json:"until"`  // when it is printed at the latest
	Why    string   `json:"why"`    // why it is not; "" it is
}

// newStatusStaged is a staged recovery for programs; nil is none.
func newStatusStaged(s *survey.Staged) *statusStaged {
	switch {
	case s == nil:
		return nil
	case s.Err != nil:
		return &statusStaged{At: out.Time(s.At), Why: stagedTrouble(s.Err)}
	}
	return &statusStaged{At: out.Time(s.At), Tokens: s.Tokens, Until: out.Time(s.Until)}
}

// stagedTrouble says why what is staged is not printed.
func stagedTrouble(err error) string {
	for _, known := range []error{backup.ErrStagedOld, backup.ErrStagedAhead, backup.ErrStagedDamaged} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return out.Reason(err)
}

// stagedRow is the line about it.
func stagedRow(env *Env, s *statusStaged) statusRow {
	const away = "continuo recover --unstage"
	if s.Why != "" {
		return statusRow{render.Warn, "△", "staged", 1, "a recovery that no start prints: " + s.Why, "", away}
	}
	fact := "a recovery of " + aboutTokens(s.Tokens) + " since " + env.moment(time.Time(s.At)) + ", the next start prints it"
	return statusRow{render.Faint, "·", "staged", 1, fact, "", away}
}
