package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Only the screens, the actions and this file use Source and the clock. A command captures values, but never the model,
// and returns one message.

const (
	halfMinute = 30 * time.Second // interval of clockMsg; displayed ages are in minutes
	quiet      = screen.Quiet
)

// loadRows starts the stream of rows. It returns a command that waits for the first batch.
func loadRows(ctx context.Context, source Source, gen int, now func() time.Time) tea.Cmd {
	return func() tea.Msg { return takeRows(gen, source.Rows(ctx), now) }
}

// nextRows returns a command that waits for the next batch.
func nextRows(gen int, from <-chan sessions.Batch, now func() time.Time) tea.Cmd {
	return func() tea.Msg { return takeRows(gen, from, now) }
}

// takeRows waits for a batch and merges the batches that have arrived meanwhile, so that a long list is sorted only a
// few times. A panic of the source becomes a panic of the command, for the guard.
func takeRows(gen int, from <-chan sessions.Batch, now func() time.Time) rowsMsg {
	all, ok := <-from
	if !ok {
		return rowsMsg{gen: gen, batch: sessions.Batch{Done: true}}
	}
	for !all.Done && !all.Part { // a partial batch is shown at once
		select {
		case b, ok := <-from:
			if !ok {
				all.Done = true
				break
			}
			all.Rows = append(all.Rows, b.Rows...)
			all.Gone = append(all.Gone, b.Gone...)
			if b.Err != nil {
				all.Err = b.Err
			}
			all.Done = b.Done
			continue
		default:
		}
		break
	}
	if bug, ok := errors.AsType[*sessions.PanicError](all.Err); ok {
		panic(bug)
	}
	if all.Done {
		from = nil
	}
	return rowsMsg{gen: gen, batch: all, from: from, at: now()}
}

// watchRows starts the stream of changes. It returns a command that waits for the first batch.
func watchRows(ctx context.Context, source Source, awake func() bool) tea.Cmd {
	return func() tea.Msg { return takeChanges(source.Watch(ctx, awake)) }
}

// nextChanges returns a command that waits for the next batch of changes.
func nextChanges(from <-chan sessions.Batch) tea.Cmd {
	return func() tea.Msg { return takeChanges(from) }
}

// takeChanges waits for a batch of changes. If the source has panicked, it panics too.
func takeChanges(from <-chan sessions.Batch) tea.Msg {
	b, ok := <-from
	if !ok {
		return nil
	}
	if bug, ok := errors.AsType[*sessions.PanicError](b.Err); ok {
		panic(bug)
	}
	return changedMsg{batch: b, from: from}
}

// takeOver hands the terminal to a program until the program ends. Then the status line shows text.
func takeOver(run Takeover, text string) tea.Cmd {
	return tea.Exec(run, func(err error) tea.Msg { return resumedMsg{err, text} })
}

func tick(ctx context.Context, now func() time.Time) tea.Cmd {
	return screen.After(ctx, halfMinute, func() tea.Msg { return clockMsg{now()} })
}

// readBranch returns a command that reads the branch, or nil if read is nil.
func readBranch(read func() string) tea.Cmd {
	if read == nil {
		return nil
	}
	return func() tea.Msg { return branchMsg(read()) }
}

func waitQuiet(ctx context.Context, gen int) tea.Cmd {
	return screen.After(ctx, quiet, func() tea.Msg { return waitedMsg{gen} })
}
