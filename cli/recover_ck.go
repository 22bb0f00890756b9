package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	ckLimit = 20 * time.Second // it may build an index first
	ckHits  = 20
	ckBytes = 4 << 20 // of an answer
)

// ckSearch has ck search the directory of a NOTES.md; paths of the hits are below root. The error says in a sentence why
// there are none. --topk is its flag, not --top-k, and no threshold is given: the scores of --hybrid lie below 0.05
// (ck 0.7.11).
func (d *deps) ckSearch(ctx context.Context, dir, root, query string) ([]recovery.Hit, error) {
	query = strings.TrimLeft(query, "- ") // else it would be a flag
	if query == "" {
		return nil, errors.New("ck was not asked: there are no words to search for")
	}
	program, err := d.host().LookPath("ck")
	if err != nil {
		return nil, errors.New("ck is not installed")
	}
	answer, err := d.host().Collect(ctx, ckLimit, ckBytes, root, nil, program, "--hybrid", query, "--topk", strconv.Itoa(ckHits), "--jsonl", dir)
	hits := ckParse(answer.Out, root)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, host.ErrSilent):
		return nil, errors.New("ck took longer than 20 seconds and was ended")
	case len(hits) > 0:
		return hits, nil
	case err == nil || len(answer.Messages) == 0: // its exit code is 1 for no match and for an error
		return nil, errors.New("ck found nothing")
	}
	return nil, errors.New("ck failed: " + strings.TrimRight(lastLine(answer.Messages), "."))
}

// lastLine is the last line of what a program said, clean.
func lastLine(said []byte) string {
	text := "it gave no reason"
	for line := range bytes.Lines(said) {
		if clean := transcript.CleanLine(string(line)); clean != "" {
			text = clean
		}
	}
	return text
}

// ckParse reads what ck prints with --jsonl, best first: {"path","span":{"line_start","line_end"},"snippet","score"}. A
// line that is none is passed over.
func ckParse(out []byte, root string) []recovery.Hit {
	var hits []recovery.Hit
	for line := range bytes.Lines(out) {
		var h struct {
			Path string `json:"path"`
			Span struct {
				From int `json:"line_start"`
				To   int `json:"line_end"`
			} `json:"span"`
			Snippet string  `json:"snippet"`
			Score   float64 `json:"score"`
		}
		if json.Unmarshal(line, &h) != nil || h.Path == "" {
			continue
		}
		path := h.Path
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsAbs(path) {
			path = rel
		}
		hits = append(hits, recovery.Hit{
			File: filepath.ToSlash(filepath.Clean(path)), From: h.Span.From, To: max(h.Span.From, h.Span.To), Text: h.Snippet, Similarity: h.Score,
		})
	}
	return hits
}
