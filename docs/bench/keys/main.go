// Keys measures the speed of searches in the browser: for each keystroke of a query, the time until the first screen of
// results is complete. For comparison, it also measures a simple scan of the same text for one word, on two cores.
//
//	keys CLAUDE_DIR INDEX_DIR [QUERY...]
//
// It builds an index in INDEX_DIR.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/sessions/index"
	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/sessions/search"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "keys:", err)
		os.Exit(2)
	}
}

const (
	runs   = 9   // how often each search is run
	screen = 50  // number of matches that fill the first screen
	many   = 100 // a search in the scope "all" stops at this number of matches
)

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) < 2 {
		return errors.New("usage: keys CLAUDE_DIR INDEX_DIR [QUERY...]")
	}
	queries := args[2:]
	if len(queries) == 0 {
		queries = []string{"error", "function database", `"in the"`, "migr", "qqqzzz"}
	}
	c, err := open(ctx, args[0], args[1])
	if err != nil {
		return err
	}
	defer c.Index.Close()
	texts, size, err := textsOf(ctx, c)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d messages, %.1f MB of text; times in ms\n\n", len(texts), float64(size)/1e6)
	fmt.Fprintf(out, "%-30s %6s %8s %8s %8s %8s %9s\n", "query", "keys", "median", "p95", "all", "scan", "all/scan")
	for _, text := range queries {
		var keys []time.Duration
		for n := range text {
			if typed := strings.TrimSpace(text[:n+1]); typed != "" {
				if took, err := timed(ctx, c, typed, search.Conversation, screen); err == nil { // not for an open quote
					keys = append(keys, took...)
				}
			}
		}
		all, err := timed(ctx, c, text, search.Conversation, 0)
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		scan := scanned(texts, word(text))
		fmt.Fprintf(out, "%-30s %6d %8.1f %8.1f %8.1f %8.1f %9.2f\n", text, len(keys)/runs, at(keys, 50), at(keys, 95), at(all, 50), at(scan, 50), at(all, 50)/at(scan, 50))
	}
	fmt.Fprintf(out, "\n%-30s %8s %8s\n", "with calls of tools", "first", "all")
	for _, text := range queries {
		first, err := timed(ctx, c, text, search.All, many)
		if err != nil {
			return err
		}
		begun := time.Now()
		if _, err = once(ctx, c, text, search.All, 0); err != nil {
			return err
		}
		fmt.Fprintf(out, "%-30s %8.1f %8.1f\n", text, at(first, 50), ms(time.Since(begun)))
	}
	return nil
}

// open returns the sessions of a config directory, with an index of their texts.
func open(ctx context.Context, claude, dir string) (*search.Corpus, error) {
	c := &search.Corpus{Index: index.Open(dir)}
	var err error
	list := catalog.New(catalog.Options{Dirs: []string{claude}, Now: time.Now, Zone: time.Local, Cache: c.Index})
	if c.Rows, err = list.List(ctx, true); err != nil {
		return nil, err
	}
	return c, c.Index.Update(ctx, c.Files(ctx))
}

// textsOf returns the texts of all messages, and their total size in bytes.
func textsOf(ctx context.Context, c *search.Corpus) (texts [][]byte, size int, err error) {
	q, err := query.Parse("/(?s)./", time.Now())
	if err != nil {
		return nil, 0, err
	}
	var mu sync.Mutex
	err = c.Index.Search(ctx, q, func(*index.File) bool { return true }, func(m *index.Message) bool {
		mu.Lock()
		defer mu.Unlock()
		texts = append(texts, bytes.Clone(m.Text))
		size += len(m.Text)
		return true
	})
	return texts, size, err
}

// timed runs a search several times and returns the durations. Each run stops after enough matches. 0 means no limit.
func timed(ctx context.Context, c *search.Corpus, text string, scope search.Scope, enough int) ([]time.Duration, error) {
	var list []time.Duration
	for range runs {
		took, err := once(ctx, c, text, scope, enough)
		if err != nil {
			return nil, err
		}
		list = append(list, took)
	}
	return list, nil
}

func once(ctx context.Context, c *search.Corpus, text string, scope search.Scope, enough int) (took time.Duration, err error) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	begun := time.Now()
	q, err := query.Parse(text, begun)
	if err != nil {
		return 0, err
	}
	search.Run(ctx, c, q, search.Options{Scope: scope, Keep: 3}, func(b search.Batch) {
		if took == 0 && (b.Done || enough > 0 && b.Hits >= enough) {
			took = time.Since(begun)
			end()
		}
	})
	return took, nil
}

// scanned counts a word in all texts with two goroutines, several times, and returns the durations.
func scanned(texts [][]byte, word string) (list []time.Duration) {
	for range runs {
		begun := time.Now()
		var next atomic.Int64
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				for i := int(next.Add(1)) - 1; i < len(texts); i = int(next.Add(1)) - 1 {
					bytes.Count(texts[i], []byte(word))
				}
			})
		}
		both.Wait()
		list = append(list, time.Since(begun))
	}
	return list
}

// word returns the first word of a query.
func word(text string) string { return strings.Trim(strings.Fields(text)[0], `"`) }

// at returns a percentile of durations, in milliseconds.
func at(list []time.Duration, percent int) float64 {
	list = slices.Sorted(slices.Values(list))
	return ms(list[min(len(list)*percent/100, len(list)-1)])
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
