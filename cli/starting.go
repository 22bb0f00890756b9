package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/continuo-tui/continuo/sessions"
)

// startingFor is how long a client counts as a writer of which no more is known than that it is being started. Client
// 2.1.329 is in the live registry after a second; while it asks whether the folder can be trusted it is not, however
// long that takes, so one whose process is known counts until it is there or has ended.
const startingFor = 30 * time.Second

// starting is a client that continuo has started, or is about to.
type starting struct {
	ID    string    `json:"id"`    // the session that it writes to
	Dir   string    `json:"dir"`   // config dir
	PID   int       `json:"pid"`   // of the client; before there is one, of this program
	Start string    `json:"start"` // of that process, as sessions.Probe has it
	At    time.Time `json:"at"`
	Pane  string    `json:"pane,omitempty"`
	Runs  bool      `json:"runs"` // PID is that of the client
}

// errTaken says that somebody else has just started a client for the session.
var errTaken = errors.New("session is being opened")

// changeStarting changes the list of clients that were just started, under a lock. Where it cannot be kept, nothing
// is: the registry still tells of every client that has been running for a moment.
func (d *deps) changeStarting(ctx context.Context, inRegistry map[int]bool, change func([]starting) ([]starting, error)) error {
	dir := d.stateDir()
	if dir == "" {
		_, err := change(nil)
		return err
	}
	var refused error
	ran := false
	path := filepath.Join(dir, "starting.json")
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		err = makePrivate(path)
	}
	if err == nil {
		err = lockedfile.Transform(path, func(data []byte) ([]byte, error) {
			var list, next []starting
			_ = json.Unmarshal(data, &list) // what cannot be read is out of date in half a minute
			list = slices.DeleteFunc(list, func(s starting) bool { return !d.isStarting(ctx, s, inRegistry) })
			ran = true
			if next, refused = change(list); refused != nil {
				next = list
			}
			return json.Marshal(next)
		})
	}
	if !ran {
		_, refused = change(nil)
	}
	if refused != nil {
		return refused
	}
	_ = err // it could not be kept
	return nil
}

// makePrivate makes a file that only its owner can read, if it is not there.
func makePrivate(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// isStarting reports whether a client that was started is still there and not in the registry. registered are the
// processes that are, and their parents: claude may be a script that starts the client. Those speak for themselves.
func (d *deps) isStarting(ctx context.Context, s starting, registered map[int]bool) bool {
	age := time.Since(s.At)
	start, alive, known := sessions.SystemProbe().Start(ctx, s.PID)
	switch fresh := age > -startingFor && age < startingFor; {
	case known && !alive, start != "" && s.Start != "" && start != s.Start:
		return false // it has ended, and another process may have its number
	case s.Runs && registered[s.PID]:
		return false
	case s.Runs && start != "" && start == s.Start:
		return true
	default:
		return fresh
	}
}

// registered are the processes of a config directory that the registry has, with all their parents.
func registered(ctx context.Context, dir string) map[int]bool {
	list, _ := sessions.ReadRegistry(ctx, dir, sessions.SystemProbe()) // an entry that cannot be read names nobody
	all := map[int]bool{}
	if len(list) == 0 {
		return all
	}
	parent := parentOf(ctx)
	for _, l := range list {
		for pid, steps := l.PID, 0; l.Verified && pid > 1 && steps < tmuxParents && !all[pid]; pid, steps = parent(pid), steps+1 {
			all[pid] = true
		}
	}
	return all
}

// startingOf lists the clients that were just started for a session.
func (d *deps) startingOf(ctx context.Context, row *sessions.Row) []starting {
	var list []starting
	dir := d.stateDir()
	if dir == "" {
		return nil
	}
	data, err := lockedfile.Read(filepath.Join(dir, "starting.json"))
	if err != nil || json.Unmarshal(data, &list) != nil {
		return nil
	}
	list = slices.DeleteFunc(list, func(s starting) bool { return s.ID != row.ID || s.Dir != realPath(row.Dir) })
	if len(list) == 0 {
		return nil
	}
	inRegistry := registered(ctx, row.Dir)
	return slices.DeleteFunc(list, func(s starting) bool { return !d.isStarting(ctx, s, inRegistry) })
}

// claim says that a client is about to be started for a session. The error is errTaken when somebody else has just
// said so, unless a second writer is wanted. settle names the process when there is one; with pid 0 nothing was
// started.
func (d *deps) claim(ctx context.Context, row *sessions.Row, second bool) (settle func(pid int, pane string), err error) {
	mine := starting{ID: row.ID, Dir: realPath(row.Dir), At: time.Now()}
	mine.identify(ctx, os.Getpid())
	inRegistry := registered(ctx, row.Dir)
	err = d.changeStarting(ctx, inRegistry, func(list []starting) ([]starting, error) {
		if !second && slices.ContainsFunc(list, func(s starting) bool { return s.ID == mine.ID && s.Dir == mine.Dir }) {
			return nil, errTaken
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
		_ = d.changeStarting(ctx, inRegistry, func(list []starting) ([]starting, error) { // of no use any more when it fails
			list = slices.DeleteFunc(list, func(s starting) bool { return s.same(was) })
			if pid == 0 {
				return list, nil
			}
			return append(list, mine), nil
		})
	}, nil
}

func (s starting) same(o starting) bool {
	return s.ID == o.ID && s.Dir == o.Dir && s.PID == o.PID && s.At.Equal(o.At)
}

// identify takes a process for the client.
func (s *starting) identify(ctx context.Context, pid int) {
	s.PID = pid
	s.Start, _, _ = sessions.SystemProbe().Start(ctx, pid)
}
