// Package catalog joins sessions, raw backups and documents into one list of rows, and opens them. It is
// what the tui and the commands look at.
package catalog

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Options say where to look.
type Options struct {
	Dirs  []string         // Claude config dirs
	Roots []string         // when not empty, only sessions whose workdir is at or below one of them
	Cwd   string           // current directory: its backups and documents are listed too; "" for none
	Home  string           // the person's home: no repository is looked for above it; "" unknown
	Now   func() time.Time // the clock
	Zone  *time.Location   // of the local times in file names (spec 000); nil is time.Local
	Probe sessions.Probe   // looks up running clients; nil is this machine's
	Disk  sessions.Stater  // on which projects are looked up; nil is the real one
}

// Catalog lists and opens. It is safe for concurrent use.
type Catalog struct {
	opts Options
}

// New returns a catalogue over the given places. Nothing is read yet.
func New(opts Options) *Catalog {
	if opts.Probe == nil {
		opts.Probe = sessions.SystemProbe()
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	return &Catalog{opts: opts}
}

// batchSize is how many exact rows are sent at once: the first ones show soon, 2,000 sessions are 32
// messages to a program that draws after each.
const batchSize = 64

// Rows streams the catalogue: quick figures of every session in the first batch, backups and documents in
// the second, exact figures behind. The channel closes after the batch with Done, or when ctx ends: cancel it
// to stop reading early.
func (c *Catalog) Rows(ctx context.Context) <-chan sessions.Batch {
	out := make(chan sessions.Batch)
	go func() {
		defer close(out)
		c.stream(ctx, out)
	}()
	return out
}

func (c *Catalog) stream(ctx context.Context, out chan<- sessions.Batch) {
	send := func(b sessions.Batch) bool {
		select {
		case out <- b:
			return true
		case <-ctx.Done():
			return false
		}
	}
	set, err := sessions.Find(ctx, c.find())
	if err != nil || !send(sessions.Batch{Rows: rows(set.Sessions), Err: errors.Join(set.Problems...)}) {
		return
	}
	others, problems := c.others(ctx, set)
	if !send(sessions.Batch{Rows: others, Err: errors.Join(problems...)}) {
		return
	}
	var next sessions.Batch
	err = set.Exact(ctx, func(ses sessions.Session, gone bool) {
		if gone {
			next.Gone = append(next.Gone, ses.Path)
		} else {
			next.Rows = append(next.Rows, sessions.Row{Kind: sessions.KindSession, Session: ses})
		}
		if len(next.Rows) >= batchSize {
			send(next)
			next = sessions.Batch{}
		}
	})
	if err != nil {
		return
	}
	exact, err := exactBackups(ctx, others)
	if err != nil {
		return
	}
	next.Rows, next.Done = append(next.Rows, exact...), true
	send(next)
}

// List returns the whole catalogue at once, newest first. Quick leaves the figures that need a whole scan
// out. The error joins what could not be read, or is that of ctx; the rows are complete without it.
func (c *Catalog) List(ctx context.Context, quick bool) ([]sessions.Row, error) {
	set, err := sessions.Find(ctx, c.find())
	if err != nil {
		return nil, err
	}
	others, problems := c.others(ctx, set)
	if !quick {
		if err := set.Exact(ctx, nil); err != nil {
			return nil, err
		}
		if others, err = exactBackups(ctx, others); err != nil {
			return nil, err
		}
	}
	list := append(rows(set.Sessions), others...)
	sortRows(list)
	return list, errors.Join(append(set.Problems, problems...)...)
}

func sortRows(list []sessions.Row) {
	slices.SortFunc(list, func(a, b sessions.Row) int { return a.Compare(&b) })
}

func (c *Catalog) find() sessions.Options {
	return sessions.Options{
		Dirs: c.opts.Dirs, Roots: c.opts.Roots, Now: c.opts.Now(), Probe: c.opts.Probe,
		Places: sessions.Places{Home: c.opts.Home, Files: c.opts.Disk},
	}
}

func rows(list []sessions.Session) []sessions.Row {
	out := make([]sessions.Row, len(list))
	for i := range list {
		out[i] = sessions.Row{Kind: sessions.KindSession, Session: list[i]}
	}
	return out
}
