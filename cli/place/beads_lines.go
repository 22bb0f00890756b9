package place

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger/beads"
)

// brShown is the maximum number of beads per call of show.
const brShown = 100

// Lines implements beads.Program. bd with Dolt exports all beads at once. Other programs list beads without
// dependencies and comments. So Lines also runs show for each bead for which known returns nil.
func (b *Beads) Lines(ctx context.Context, known func(bead []byte) []byte) ([]byte, error) {
	if b.Name == "" {
		return nil, errors.New(b.Missing())
	}
	lines, err := b.lines(ctx, known)
	return lines, WithinSentence(err)
}

func (b *Beads) lines(ctx context.Context, known func(bead []byte) []byte) ([]byte, error) {
	if b.Dolt {
		return b.askDolt(ctx, "--include-memories", "export the beads", b.reading("export")...)
	}
	if b.Name == "br" {
		if n, err := b.dirty(ctx); n == 0 && err == nil {
			return nil, nil
		}
	}
	list, err := b.items(ctx, "list the beads", "list", "--all", "--limit", "0", "--json")
	if err != nil {
		return nil, err
	}
	var lines bytes.Buffer
	add := func(item []byte) {
		if json.Compact(&lines, item) == nil {
			lines.WriteByte('\n')
		}
	}
	var ids []string
	for _, item := range list {
		if line := known(item); line != nil {
			add(line)
			continue
		}
		var bead struct{ ID string }
		if err := json.Unmarshal(item, &bead); err == nil && CheckBead(bead.ID) == nil {
			ids = append(ids, bead.ID)
		}
	}
	for some := range slices.Chunk(ids, brShown) {
		shown, err := b.items(ctx, "show the beads", append(append([]string{"show"}, some...), "--json")...)
		if err != nil {
			return nil, err
		}
		for _, item := range shown {
			add(item)
		}
	}
	return append([]byte{}, lines.Bytes()...), nil // nil means unchanged
}

// items runs a command and returns the JSON of each bead.
func (b *Beads) items(ctx context.Context, do string, args ...string) ([]json.RawMessage, error) {
	printed, err := b.ask(ctx, brLook, do, b.reading(args...)...)
	if err != nil {
		return nil, err
	}
	items, err := beads.Items(printed)
	if err != nil {
		return nil, b.unread(args[0]+" --json", err)
	}
	return items, nil
}

// reading adds flags that keep br and bd away from issues.jsonl.
func (b *Beads) reading(args ...string) []string {
	if b.Name == "br" {
		return append(args, "--no-auto-import", "--no-auto-flush")
	}
	return append(args, "--readonly", "--sandbox")
}

// dirty asks br how many beads issues.jsonl lacks.
func (b *Beads) dirty(ctx context.Context) (int, error) {
	printed, err := b.ask(ctx, brLook, "count its unwritten beads", "sync", "--status", "--json")
	if err != nil {
		return 0, err
	}
	var status struct {
		Dirty *int `json:"dirty_count"`
	}
	if err := json.Unmarshal(printed, &status); err != nil || status.Dirty == nil {
		return 0, b.unread("sync --status --json", errors.New("dirty_count is missing"))
	}
	return *status.Dirty, nil
}

// Unwritten returns the number of beads that issues.jsonl lacks or has in another state. For bd, it compares the beads
// with the file. Error messages have no full stop.
func (b *Beads) Unwritten(ctx context.Context) (int, error) {
	if b.Name != "br" { // or if nothing is installed
		return beads.Unwritten(ctx, b.dir, b)
	}
	n, err := b.dirty(ctx)
	return n, WithinSentence(err)
}

// WithinSentence returns a failure without a full stop, for use within a sentence.
func WithinSentence(err error) error {
	if f, ok := errors.AsType[*out.Failure](err); ok {
		return errors.New(strings.TrimRight(f.What, "."))
	}
	return err
}
