package place

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
)

// errNoState means that searches can't be saved.
var errNoState = errors.New("searches can't be saved without a home directory")

// mostSearches is the maximum number of saved searches.
const mostSearches = 50

// SavedSearches returns the lines of $XDG_STATE_HOME/continuo/searches, newest first. It ignores errors.
func SavedSearches(env *Env) []string {
	path := stateFile(env, "searches")
	if path == "" {
		return nil
	}
	text, _ := os.ReadFile(path)
	return searchesIn(text)
}

func searchesIn(text []byte) []string {
	var list []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(transcript.CleanLine(line)); line != "" {
			list = append(list, line)
		}
	}
	return list
}

// SaveSearch saves a search, or removes a saved one. It returns the saved searches.
func SaveSearch(ctx context.Context, env *Env, text string) (list []string, saved bool, err error) {
	path := stateFile(env, "searches")
	if path == "" {
		return nil, false, errNoState
	}
	err = editFile(ctx, path, func(old []byte) ([]byte, error) {
		list = searchesIn(old)
		saved = !slices.Contains(list, text)
		list = slices.DeleteFunc(list, func(s string) bool { return s == text })
		if saved {
			list = slices.Insert(list, 0, text)
		}
		list = list[:min(len(list), mostSearches)]
		return []byte(strings.Join(append(slices.Clone(list), ""), "\n")), nil
	})
	return list, saved, err
}
