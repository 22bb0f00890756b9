package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/ledger/recovery"
)

// ckSearch has ck search the directory of a NOTES.md; paths of the hits are below root. The error says in a sentence why
// there are none.
func ckSearch(ctx context.Context, h host.Host, dir, root, query string) ([]recovery.Hit, error) {
	query = strings.TrimLeft(query, "- ") // else it would be a flag
	if query == "" {
		return nil, errors.New("ck was not asked: there are no words to search for")
	}
	out, said, err := h.Ck(ctx, dir, root, query)
	hits := ckParse(out, root)
	switch {
	case errors.Is(err, host.ErrNoProgram):
		return nil, errors.New("ck is not installed")
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, host.ErrSilent):
		return nil, errors.New("ck took longer than 20 seconds and was ended")
	case len(hits) > 0:
		return hits, nil
	case err == nil:
		return nil, errors.New("ck found nothing")
	}
	return nil, errors.New("ck failed: " + strings.TrimRight(cmp.Or(said, "it gave no reason"), "."))
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
