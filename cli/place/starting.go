package place

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/sessions"
)

const (
	// startingFor is how long a starting client without a known process counts as a writer. Client 2.1.330 registers
	// after 1 s, or after the trust question.
	startingFor = 30 * time.Second
)

// Starting is a client that continuo is starting or has just started.
type Starting struct {
	ID    string    `json:"id"`    // ID of the session
	Dir   string    `json:"dir"`   // the config directory
	PID   int       `json:"pid"`   // the client, or continuo before the client runs
	Start string    `json:"start"` // start of the process, from sessions.Probe
	At    time.Time `json:"at"`
	Pane  string    `json:"pane,omitempty"`
	Runs  bool      `json:"runs"`  // PID is the client
	Waits bool      `json:"waits"` // PID is the waiting continuo
}

var (
	// ErrTaken means that another client has the session open or is opening it.
	ErrTaken = errors.New("session is being opened")
	// ErrLocked means that another program has locked the list of started clients.
	ErrLocked = errors.New("the list of started clients is locked")
)

// changeStarting changes the list of started clients. It reads the registry under the same lock. The error is
// ErrLocked or comes from change. A failure to save is ignored, because each client is soon in the registry.
func changeStarting(ctx context.Context, env *Env, row *sessions.Row, change func(list []Starting, open bool) ([]Starting, error)) error {
	var refused error
	ran := false
	edit := func(data []byte) ([]byte, error) {
		ran = true
		var list, next []Starting
		_ = json.Unmarshal(data, &list) // ignore a damaged list: its clients are soon in the registry
		pids, open := registeredPIDs(ctx, env, row)
		here := RealPath(row.Dir)
		list = slices.DeleteFunc(list, func(s Starting) bool {
			if s.Dir != here { // the registry of s.Dir wasn't read
				return !isStarting(ctx, s, nil)
			}
			return !isStarting(ctx, s, pids)
		})
		if next, refused = change(list, open); refused != nil {
			next = list
		}
		return json.Marshal(next)
	}
	err := os.ErrNotExist
	if dir := env.StateDir(); dir != "" {
		err = editFile(context.WithoutCancel(ctx), filepath.Join(dir, "starting.json"), edit)
	}
	switch {
	case ran: // change was called; saving may have failed
	case errors.Is(err, disk.ErrLocked):
		return ErrLocked
	default: // no state directory
		_, open := registeredPIDs(ctx, env, row)
		_, refused = change(nil, open)
	}
	return refused
}

// isStarting reports whether a started client runs outside the registry. registered has ancestors too, because claude
// may be a script.
func isStarting(ctx context.Context, s Starting, registered map[int]bool) bool {
	age := time.Since(s.At)
	start, alive, known := sessions.SystemProbe().Start(ctx, s.PID)
	switch fresh := age > -startingFor && age < startingFor; {
	case known && !alive, start != "" && s.Start != "" && start != s.Start:
		return false // another process may have the PID now
	case s.Runs && registered[s.PID]:
		return false
	case (s.Runs || s.Waits) && start != "" && start == s.Start:
		return true
	default:
		return fresh
	}
}

// registeredPIDs returns a session's processes in the registry, with their ancestors. open: one process has the
// session open.
func registeredPIDs(ctx context.Context, env *Env, row *sessions.Row) (pids map[int]bool, open bool) {
	list, _ := RegistryOf(ctx, env, row)
	pids = map[int]bool{}
	if len(list) == 0 {
		return pids, false
	}
	up := host.Parents(ctx)
	for _, l := range list {
		open = open || l.SessionID == row.ID
		if !l.Verified {
			continue
		}
		for pid := range up(l.PID) {
			if pids[pid] {
				break // ancestors are already in the map
			}
			pids[pid] = true
		}
	}
	return pids, open
}

// StartingOf returns the clients that were just started for a session. It takes no lock, so it may miss clients.
// ClaimStart checks again.
func StartingOf(ctx context.Context, env *Env, row *sessions.Row) []Starting {
	var list []Starting
	dir := env.StateDir()
	if dir == "" {
		return nil
	}
	data, err := sessions.ReadSmall(filepath.Join(dir, "starting.json"), 1<<20)
	if err != nil || json.Unmarshal(data, &list) != nil {
		return nil
	}
	list = slices.DeleteFunc(list, func(s Starting) bool { return s.ID != row.ID || s.Dir != RealPath(row.Dir) })
	if len(list) == 0 {
		return nil
	}
	pids, _ := registeredPIDs(ctx, env, row)
	return slices.DeleteFunc(list, func(s Starting) bool { return !isStarting(ctx, s, pids) })
}

// ClaimStart claims a session for a client that is about to start. If another client has the session, the error is
// ErrTaken, unless second is set. After the start, call settle with the client's PID, or with 0 if no client runs.
// waits: this program waits for the client without its PID.
func ClaimStart(ctx context.Context, env *Env, row *sessions.Row, second, waits bool) (settle func(pid int, pane string), err error) {
	mine := Starting{ID: row.ID, Dir: RealPath(row.Dir), At: time.Now(), Waits: waits}
	mine.identify(ctx, os.Getpid())
	err = changeStarting(ctx, env, row, func(list []Starting, open bool) ([]Starting, error) {
		if !second && (open || slices.ContainsFunc(list, func(s Starting) bool { return s.ID == mine.ID && s.Dir == mine.Dir })) {
			return nil, ErrTaken
		}
		return append(list, mine), nil
	})
	if err != nil {
		return nil, fmt.Errorf("claim session %s: %w", row.ID, err)
	}
	return func(pid int, pane string) {
		ctx := context.WithoutCancel(ctx)
		was := mine
		mine.Pane, mine.Runs = pane, true
		mine.identify(ctx, pid)
		// Errors are ignored.
		_ = changeStarting(ctx, env, row, func(list []Starting, _ bool) ([]Starting, error) {
			list = slices.DeleteFunc(list, func(s Starting) bool { return s.same(was) })
			if pid == 0 {
				return list, nil
			}
			return append(list, mine), nil
		})
	}, nil
}

// ClaimFailure returns the message for a refused claim.
func ClaimFailure(err error) error {
	if errors.Is(err, ErrLocked) {
		return &out.Failure{What: "Another continuo has locked starting.json and doesn't respond. End that process, then try again.", Cause: err}
	}
	return &out.Failure{What: "Another client has just opened the session. Try again to see which one.", Cause: err}
}

func (s Starting) same(o Starting) bool {
	return s.ID == o.ID && s.Dir == o.Dir && s.PID == o.PID && s.At.Equal(o.At)
}

// identify sets the process and its start time.
func (s *Starting) identify(ctx context.Context, pid int) {
	s.PID = pid
	s.Start, _, _ = sessions.SystemProbe().Start(ctx, pid)
}

// RegistryOf reads the live registry of a session's config directory. It also reads registries of config directories
// with the same project directory.
func RegistryOf(ctx context.Context, env *Env, row *sessions.Row) ([]sessions.Live, []error) {
	list, errs := sessions.ReadRegistry(ctx, row.Dir, sessions.SystemProbe())
	conf, _ := LoadConfig(env) // after an error, conf has defaults
	project, name := RealPath(filepath.Dir(row.Path)), filepath.Base(filepath.Dir(row.Path))
	seen := []string{RealPath(row.Dir)}
	for _, other := range slices.Concat([]string{env.ClientDir(), filepath.Join(env.Home, ".claude")}, conf.Roots, env.Dirs) {
		if real := RealPath(other); !slices.Contains(seen, real) && RealPath(filepath.Join(other, "projects", name)) == project {
			seen = append(seen, real)
			more, bad := sessions.ReadRegistry(ctx, other, sessions.SystemProbe())
			list, errs = append(list, more...), append(errs, bad...)
		}
	}
	return list, errs
}
