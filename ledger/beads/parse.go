package beads

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// errNoBead is returned if the output of br or bd has no bead.
var errNoBead = errors.New("no bead found")

// maxEnvelopes is the maximum number of nested objects around the list of beads. bd uses one.
const maxEnvelopes = 4

// ParseReady parses the output of `br ready --json` or `bd ready --json`. If an element isn't a bead, ParseReady
// returns the beads before it and an error. An empty array has no beads. Output without JSON is an error.
func ParseReady(out []byte) ([]Bead, error) {
	items, err := Items(out)
	if err != nil {
		return nil, err
	}
	var list []Bead
	for i, item := range items {
		b, bad := decode(item, "", 0)
		if b == nil {
			return list, fmt.Errorf("bead %d: %s", i+1, strings.TrimSuffix(strings.ToLower(bad[:1])+bad[1:], "."))
		}
		list = append(list, *b)
	}
	return list, nil
}

// ParseShow parses the output of `show --json` and returns the first bead. The output has the forms of ParseReady.
func ParseShow(out []byte) (Bead, error) {
	list, err := ParseReady(out)
	if len(list) > 0 {
		return list[0], nil
	}
	if err == nil {
		err = errNoBead
	}
	return Bead{}, err
}

// Items returns the JSON of each bead in the output of br or bd. The output has the forms of ParseReady.
func Items(out []byte) ([]json.RawMessage, error) {
	for range maxEnvelopes {
		out = bytes.TrimSpace(out)
		if len(out) == 0 {
			return nil, fmt.Errorf("beads: %w", errNoBead)
		}
		if out[0] == '[' {
			var items []json.RawMessage
			if err := json.Unmarshal(out, &items); err != nil {
				return nil, fmt.Errorf("beads: %w", err)
			}
			return items, nil
		}
		var wrap struct {
			ID     json.RawMessage `json:"id"`
			Data   json.RawMessage `json:"data"`
			Issues json.RawMessage `json:"issues"`
			Issue  json.RawMessage `json:"issue"`
		}
		if err := json.Unmarshal(out, &wrap); err != nil {
			return nil, fmt.Errorf("beads: %w", err)
		}
		switch {
		case wrap.ID != nil:
			return []json.RawMessage{out}, nil
		case wrap.Data != nil:
			out = wrap.Data
		case wrap.Issues != nil:
			out = wrap.Issues
		case wrap.Issue != nil:
			out = wrap.Issue
		default:
			return nil, fmt.Errorf("beads: %w", errNoBead)
		}
		if string(bytes.TrimSpace(out)) == "null" {
			return nil, nil
		}
	}
	return nil, fmt.Errorf("beads: %w", errNoBead)
}
