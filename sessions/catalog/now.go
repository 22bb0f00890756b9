package catalog

import (
	"context"
	"sync"

	"github.com/continuo-tui/continuo/sessions"
)

// Memory is the result of Catalog.Memory.
type Memory struct {
	Rows         []sessions.Row // backups and documents, newest first, without Relation and exact figures
	Blind        []string       // directories whose backups couldn't be read
	Undocumented []string       // directories in which some documents couldn't be read
	Problems     []error
}

// Memory reads the backups and documents of some directories of one project, with the time limits of List. The rows
// of a List or Watch may be older.
func (c *Catalog) Memory(ctx context.Context, project string, dirs []string) Memory {
	type answer struct {
		found          dirContents
		documents, err error
		bug            *sessions.PanicError
	}
	answers := make([]answer, len(dirs))
	slots := make(chan struct{}, memoryWorkers)
	var wg sync.WaitGroup
	for i, dir := range dirs {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			a := &answers[i]
			a.bug = sessions.Catch(func() { a.found, a.documents, a.err = c.memory(ctx, dir) })
		})
	}
	wg.Wait()
	var m Memory
	made := newBackupFacts(c.opts.Now)
	for i, dir := range dirs {
		a := &answers[i]
		if a.bug != nil {
			panic(a.bug)
		}
		if a.err != nil {
			m.Blind, m.Problems = append(m.Blind, dir), append(m.Problems, a.err)
		}
		if a.documents != nil {
			m.Undocumented, m.Problems = append(m.Undocumented, dir), append(m.Problems, a.documents)
			made.undocumented[dir] = true
		}
		m.Problems = append(m.Problems, a.found.Problems...)
		m.Rows = append(m.Rows, memoryRows(a.found, project, c.opts.Now())...)
	}
	relate(m.Rows, c.base.originals(m.Rows), c.seen(), made)
	sortRows(m.Rows)
	return m
}
