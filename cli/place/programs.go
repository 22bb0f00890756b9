package place

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/transcript"
)

// SearchCK searches the directory of a NOTES.md with ck. Paths of hits start at root. The error message is a sentence.
func SearchCK(ctx context.Context, h host.Host, dir, root, query string) ([]recovery.Hit, error) {
	query = strings.TrimLeft(query, "- ") // else the query could be a flag
	if query == "" {
		return nil, errors.New("ck was not run: the query has no words")
	}
	out, reported, err := h.Ck(ctx, dir, root, query)
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
	return nil, errors.New("ck failed: " + strings.TrimRight(cmp.Or(reported, "no reason was given"), "."))
}

// ckParse parses the lines of ck --jsonl: {"path","span":{"line_start","line_end"},"snippet","score"}. The best hit
// comes first, and invalid lines are skipped.
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

// GitSaid returns the first line of an error message of git.
func GitSaid(err error) string {
	exit, ok := errors.AsType[*host.ExitError](err)
	if !ok {
		return out.Reason(err)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
	first, _, _ = strings.Cut(first, " (or any of") // drop "(or any of the parent directories)"
	if first = transcript.CleanLine(strings.TrimPrefix(first, "fatal: ")); first == "" {
		return exit.Error()
	}
	return strings.TrimSuffix(first, ".")
}
