package beads

import (
	"bytes"
	"context"
	"fmt"

	"github.com/continuo-tui/continuo/internal/disk"
)

// Unwritten returns the number of beads of a program that issues.jsonl lacks, or has in another state. Without an
// issues.jsonl, it returns 0.
func Unwritten(ctx context.Context, dir string, program Program) (int, error) {
	root, err := disk.Open(dir)
	if err != nil {
		return 0, fmt.Errorf("beads %s: %w", dir, disk.Cause(err))
	}
	defer root.Close()
	file, data, err := readIssues(root, dir)
	if err != nil {
		return 0, err
	}
	lines, err := program.Lines(ctx, unchanged(data))
	if err != nil || lines == nil || file == "" {
		return 0, err
	}
	was, err := parseLines(ctx, data)
	if err != nil {
		return 0, err
	}
	now, err := parseLines(ctx, lines)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, id := range now.IDs() {
		if !was.has(now, id) {
			n++
		}
	}
	for _, id := range was.IDs() {
		if b, ok := was.Find(id); ok && b.Status != tombstone {
			if _, ok := now.at[id]; !ok {
				n++
			}
		}
	}
	return n, nil
}

// parseLines returns the graph for the lines of an issues.jsonl.
func parseLines(ctx context.Context, data []byte) (*Graph, error) {
	r := &reader{g: &Graph{}}
	err := r.lines(ctx, "", data)
	r.finish()
	return r.g, err
}

// has reports whether g and other have the same bead with an ID, in the same state.
func (g *Graph) has(other *Graph, id string) bool {
	if a, b := g.at[id], other.at[id]; a < 0 && b < 0 && bytes.Equal(g.shut[^a].raw, other.shut[^b].raw) {
		return true
	}
	a, ok := g.Find(id)
	b, _ := other.Find(id)
	return ok && b != nil && a.Title == b.Title && a.Description == b.Description && a.Status == b.Status && a.Priority == b.Priority &&
		a.Updated.Equal(b.Updated) && len(a.Comments) == len(b.Comments) && len(a.Deps) == len(b.Deps) && len(a.Labels) == len(b.Labels)
}
