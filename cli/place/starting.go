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
	// startingFor is how long a client counts as a writer of which no more is known than that it is being started.
	// Client 2.1.330 is in the live registry after a second; while it asks whether the folder can be trusted it is
	// not, however long that takes, so one whose process is known counts until it is there or has ended.
	startingFor = 30 * time.Second
)

// Starting is a client that continuo has started, or is about to.
type Starting struct {
	ID    string    `json:"id"`    // the session that it writes to
	Dir   string    `json:"dir"`   // config dir
	PID   int       `json:"pid"`   // of the client; before there is one, of this program
	Start string    `json:"start"` // of that process, as sessions.Probe has it
	At    time.Time `json:"at"`
	Pane  string    `json:"pane,omitempty"`
	Runs  bool      `json:"runs"`  // PID is that of the client
	Waits bool      `json:"waits"` // PID is that of a continuo which waits for the end of the client
}

var (
	// ErrTaken says that somebody else has the session open, or has just started a client for it.
	ErrTaken = errors.New("session is being opened")
	// ErrLocked says that the list of started clients is locked by a program that does not go on.
	ErrLocked = errors.New("the list of started clients is locked")
)

// changeStarting changes the list of clients that were just started, under a lock. Where it cannot be kept, nothing
// is: the registry still tells of every client that has been running for a moment. The error is that of change, or
// errLocked. What the registry says is looked at under the lock: who waited for it would decide by an old look.
func changeStarting(ctx context.Context, env *Env, row *sessions.Row, change func(list []Starting, open bool) ([]Starting, error)) error {
	var refused error
	ran := false
	edit := func(data []byte) ([]byte, error) {
		ran = true
		var list, next []Starting
		_ = json.Unmarshal(data, &list) // what cannot be read is out of date in half a minute
		pids, open := registeredPIDs(ctx, env, row)
		here := RealPath(row.Dir)
		list = slices.DeleteFunc(list, func(s Starting) bool {
			if s.Dir != here { // its registry was not looked at
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
	case ran: // whether it was kept or not
	case errors.Is(err, disk.ErrLocked):
		return ErrLocked
	default: // there is no place to keep it
		_, open := registeredPIDs(ctx, env, row)
		_, refused = change(nil, open)
	}
	return refused
}

// isStarting reports whether a client that was started is still there and not in the registry. registered are the
// processes that are, and their parents: claude may be a script that starts the client. Those speak for themselves.
func isStarting(ctx context.Context, s Starting, registered map[int]bool) bool {
	age := time.Since(s.At)
	start, alive, known := sessions.SystemProbe().Start(ctx, s.PID)
	switch fresh := age > -startingFor && age < startingFor; {
	case known && !alive, start != "" && s.Start != "" && start != s.Start:
		return false // it has ended, and another process may have its number
	case s.Runs && registered[s.PID]:
		return false
	case (s.Runs || s.Waits) && start != "" && start == s.Start:
		return true
	default:
		return fresh
	}
}

// registeredPIDs are the processes that the registry of a session has, with all their parents, and whether one of them has
// the session open.
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
				break // so are those above it
			}
			pids[pid] = true
		}
	}
	return pids, open
}

// StartingOf lists the clients that were just started for a session. It takes no lock: a list that is being written
// reads as empty, and claim looks again.
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

// ClaimStart says that a client is about to be started for a session. The error is errTaken when a client has it open by
// now, or somebody else has just said so, unless a second writer is wanted. settle names the process when there is
// one; with pid 0 nothing was started, or it has ended. waits is whether this program waits for the end of a client
// whose process it will not know.
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
		_ = changeStarting(ctx, env, row, func(list []Starting, _ bool) ([]Starting, error) { // of no use any more when it fails
			list = slices.DeleteFunc(list, func(s Starting) bool { return s.same(was) })
			if pid == 0 {
				return list, nil
			}
			return append(list, mine), nil
		})
	}, nil
}

// ClaimFailure is a claim that was refused, in words.
func ClaimFailure(err error) error {
	if errors.Is(err, ErrLocked) {
		return &out.Failure{What: "Another continuo holds starting.json and does not go on, so two clients could be started at once. End it, then try again.", Cause: err}
	}
	return &out.Failure{What: "Another client has just opened the session. Try again to see which one.", Cause: err}
}

func (s Starting) same(o Starting) bool {
	return s.ID == o.ID && s.Dir == o.Dir && s.PID == o.PID && s.At.Equal(o.At)
}

// identify takes a process for the client.
func (s *Starting) identify(ctx context.Context, pid int) {
	s.PID = pid
	s.Start, _, _ = sessions.SystemProbe().Start(ctx, pid)
}

// RegistryOf reads the live registries that can tell of a session: that of its config directory, and those of the other
// directories that are known and have the directory of its transcript too, by a link.
func RegistryOf(ctx context.Context, env *Env, row *sessions.Row) ([]sessions.Live, []error) {
	list, errs := sessions.ReadRegistry(ctx, row.Dir, sessions.SystemProbe())
	conf, _ := LoadConfig(env) // the defaults with an error
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
