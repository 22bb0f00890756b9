package catalog_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/transcript"
)

// TestDocWhileGrowing: a client writes to a file that two Docs and a Watch follow. Each result comes from one state
// of the file.
func TestDocWhileGrowing(t *testing.T) {
	t.Parallel()
	opts, path := big(t, 300<<10)
	c := quick(opts)
	s := watch(t, c)
	appendTo(t, path, line("user", "r", "", "root"))
	const lines = 150
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		defer cancel()
		for i := range lines {
			data := line("user", fmt.Sprint("g", i), "r", fmt.Sprint("prompt ", i)) // a new branch: each prompt hides the previous one
			appendTo(t, path, data[:30])
			appendTo(t, path, data[30:])
		}
	})
	for range 2 {
		wg.Go(func() {
			doc, err := c.Open(t.Context(), s.row(path))
			if err != nil {
				t.Error(err)
				return
			}
			defer doc.Close()
			wg.Go(func() { // two goroutines read each Doc at the same time
				for ctx.Err() == nil {
					_, _ = doc.Outline(), doc.Threads()
				}
			})
			for more := true; more; {
				more = ctx.Err() == nil
				refs, threads := doc.Outline(), doc.Threads()
				msgs, err := doc.Messages(t.Context(), 0, len(refs))
				if err != nil || len(msgs) != len(refs) {
					t.Errorf("%d of %d messages, %v", len(msgs), len(refs), err)
					return
				}
				for i := range msgs {
					if msgs[i].Err != "" || msgs[i].Thread != threads[refs[i].Thread].Name || msgs[i].Kind != refs[i].Kind {
						t.Errorf("message %d of %d: %+v", i, len(msgs), msgs[i])
						return
					}
				}
				if _, err := doc.Follow(t.Context()); err != nil {
					t.Error(err)
				}
			}
			if n := doc.Counts().Records(); doc.Counts().Bad != 0 || n < lines {
				t.Errorf("%+v", doc.Counts())
			}
		})
	}
	wg.Wait()
	s.until(t, "the last line", func(rows map[string]sessions.Row) bool { return rows[path].Bytes == fileSize(t, path) })
}

func TestDocOfDeleted(t *testing.T) {
	t.Parallel()
	opts, path := big(t, 100<<10)
	c := quick(opts)
	s := watch(t, c)
	doc, err := c.Open(t.Context(), s.row(path))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Skip("a file that is open cannot be deleted here")
	}
	s.until(t, "deleted", func(map[string]sessions.Row) bool { return s.gone[path] })
	if grown, err := doc.Follow(t.Context()); grown || err != nil {
		t.Errorf("grown %v, %v", grown, err)
	}
	if msgs, err := doc.Messages(t.Context(), 0, 5); err != nil || len(msgs) != 5 || msgs[4].Err != "" {
		t.Errorf("%+v, %v", msgs, err)
	}
	if n := c.Followed(); n != 1 {
		t.Errorf("%d files are open", n)
	}
	if err := errors.Join(doc.Close(), doc.Close()); err != nil {
		t.Error(err)
	}
	s.until(t, "let go", func(map[string]sessions.Row) bool { return c.Followed() == 0 })
}

func TestDocumentFollow(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "active-context.md")
	write(t, path, "# One\n\nsame\n\n## Two\n\nold\n")
	doc, err := catalog.New(catalog.Options{}).Open(t.Context(), sessions.Row{Kind: sessions.KindDocument, Session: sessions.Session{Path: path}})
	if err != nil {
		t.Fatal(err)
	}
	was := doc.Outline()
	follow := func(want bool) {
		t.Helper()
		if grown, err := doc.Follow(t.Context()); grown != want || err != nil {
			t.Errorf("grown %v, %v", grown, err)
		}
	}
	follow(false)
	write(t, path, "# One\n\nsame\n\n## Two\n\nnew\n\n## Three\n")
	follow(true)
	follow(false)
	now := doc.Outline()
	if len(was) != 2 || len(now) != 3 || now[0].ID != was[0].ID || now[1].ID == was[1].ID {
		t.Errorf("sections %+v, then %+v", was, now)
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	follow(false) // the text is unchanged
	write(t, path, "short")
	follow(true)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	follow(false)
	msgs, err := doc.Messages(t.Context(), 0, 9)
	if err != nil || len(msgs) != 1 || msgs[0].Kind != transcript.Answer || msgs[0].Blocks[0].Text != "short" || msgs[0].Thread != "main" {
		t.Errorf("%+v, %v", msgs, err)
	}
	if threads := doc.Threads(); len(threads) != 1 || !slices.Equal(threads[0].Messages, []int{0}) || threads[0].From != -1 {
		t.Errorf("%+v", threads)
	}
}

func TestSections(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word and word\n", 500) // 7 KB
	for name, c := range map[string]struct {
		text string
		want []string // beginning of each section
	}{
		"nothing":       {"", nil},
		"no heading":    {"text\nmore", []string{"text"}},
		"front matter":  {"---\na: 1\n---\n# H\nx\n## I\n### J\n", []string{"```yaml\na: 1\n```\n", "# H", "## I"}},
		"fence in it":   {"---\na: |\n  ```\n---\ntext", []string{"````yaml\na: |\n  ```\n````\n", "text"}},
		"no end of it":  {"---\na: 1\n# H\n", []string{"---", "# H"}},
		"no headings":   {"#tag\n#!/bin/sh\n ### x\n####### y\n", []string{"#tag"}},
		"empty heading": {"a\n#\nb\n##\n", []string{"a", "#", "##"}},
		"fence":         {"# A\n```sh\n# no\n~~~\n# no\n```\n# B\n", []string{"# A", "# B"}},
		"longer fence":  {"````md\n```\n# no\n```\n# no\n````\n# B\n", []string{"````md", "# B"}},
		"list":          {"1. - ```sh\n     # no\n     ```\n# B\n", []string{"1. -", "# B"}},
		"inline":        {"```a``` b\n# B\n", []string{"```a", "# B"}},
		"comment":       {"<!-- x\n# no\n-->\n# B\n<!-- y -->\n# C\n", []string{"<!--", "# B", "# C"}},
		"line ends":     {"# A\r\nx\r\n# B\r\n", []string{"# A", "# B"}},
		"long": {
			"# A\n\n" + long + "\n" + long + "\n" + long + "\nlast " + long + "# B\n", []string{"# A", "last", "# B"},
		},
		"before a fence": {"# A\n" + long + long + "```go\n" + long + long + "```\n" + "x\n", []string{"# A", "```go"}},
		"long fence": {
			"# A\n```\n" + long + long + long + long + "```\nx\n", []string{"# A", "```", "word", "x"},
		},
		"long line": {"a\n" + strings.Repeat("x", 100_000) + "\nb\n", []string{"a", "xxx", "b"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkSections(t, c.text)
			got := catalog.Sections(c.text)
			ok := len(got) == len(c.want)
			for i := range got {
				ok = ok && strings.HasPrefix(got[i], c.want[i])
			}
			if !ok {
				for i := range got {
					got[i] = got[i][:min(40, len(got[i]))]
				}
				t.Errorf("sections %q, want %q", got, c.want)
			}
		})
	}
}

// checkSections checks that the sections of a text contain the whole text.
func checkSections(t *testing.T, text string) {
	t.Helper()
	got := catalog.Sections(text)
	joined := strings.Join(got, "")
	if strings.HasPrefix(joined, "`") && !strings.HasPrefix(text, "`") { // the first section is the front matter in a code block
		fence := joined[:strings.Index(joined, "y")]
		front := strings.TrimPrefix(got[0], fence+"yaml\n")
		end := strings.LastIndex(front, fence+"\n")
		if end < 0 {
			t.Fatalf("the front matter %q has no end", got[0])
		}
		front, blank := front[:end], front[end+len(fence)+1:] // after it, only blank lines or a comment are allowed
		if !strings.Contains(text, front) || strings.TrimSpace(blank) != "" && !strings.HasPrefix(strings.TrimSpace(blank), "<!--") {
			t.Errorf("front matter %q is not in %q", front, text)
		}
		joined = blank + strings.Join(got[1:], "")
		text = text[len(text)-min(len(text), len(joined)):]
	}
	if joined != text {
		t.Errorf("joined to %d bytes of %d:\n%q\n%q", len(joined), len(text), joined, text)
	}
	for _, s := range got {
		if len(s) > catalog.SectionLimit && strings.Count(s, "\n") > 1 {
			t.Errorf("a section of %d bytes", len(s))
		}
		if s == "" {
			t.Error("an empty section")
		}
	}
}

func FuzzSections(f *testing.F) {
	f.Add("---\na: 1\n---\n# A\n```\n# b\n```\n<!--\n-->\n1. ~~~\n", 3)
	f.Add("````\n```\n````\n#\r\n\r\n", 900)
	f.Fuzz(func(t *testing.T, text string, times int) {
		if times = min(max(times, 1), 2000); len(text)*times > 1<<20 {
			times = 1
		}
		checkSections(t, strings.Repeat(text, times))
	})
}

// TestOpenAgain: a transcript that the preview has read isn't read again.
func TestOpenAgain(t *testing.T) {
	t.Parallel()
	opts, path := big(t, 200<<10)
	c := quick(opts)
	s := watch(t, c)
	for i, want := range []bool{true, false, false} {
		before := c.BytesRead()
		doc, err := c.Open(t.Context(), s.row(path))
		if err != nil {
			t.Fatal(err)
		}
		if read := c.BytesRead() - before; (read > 0) != want {
			t.Errorf("opening %d reads %d bytes", i, read)
		}
		if err := doc.Close(); err != nil {
			t.Fatal(err)
		}
		if n := c.Followed(); n != 1 {
			t.Errorf("%d files are open", n)
		}
	}
}

// TestFrontMatterIsNotASection: the reader opens a document at a turn, and only sections with a heading are turns.
func TestFrontMatterIsNotASection(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "session-x.md")
	write(t, path, "---\nsession_id: x\n---\n# One\n\ntext\n\n## Two\n")
	doc, err := catalog.New(catalog.Options{}).Open(t.Context(), sessions.Row{Kind: sessions.KindDocument, Session: sessions.Session{Path: path}})
	if err != nil {
		t.Fatal(err)
	}
	var turns []bool
	for _, ref := range doc.Outline() {
		turns = append(turns, ref.Turn)
	}
	if !slices.Equal(turns, []bool{false, true, true}) {
		t.Errorf("sections are counted as %v", turns)
	}
}
