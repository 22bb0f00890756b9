package demo

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// errNoRoot is the answer to Memory without a Root: /home/ada/code is said to be there, and is not made.
var errNoRoot = errors.New("demo memory: no root to make the projects in")

// hooks makes the projects of the sessions on disk, with what the hooks and commands of spec 000 leave in each.
type hooks struct {
	options Options
	stats   *Stats
	log     map[string]string // project → its .backup-log
}

// memory makes every project that a session is of, and the backups and documents of some.
func (o Options) memory(p *pool, stats *Stats) error {
	h := &hooks{options: o, stats: stats, log: map[string]string{}}
	for _, s := range stats.List {
		if err := os.MkdirAll(s.Workdir, 0o700); err != nil {
			return fmt.Errorf("demo project: %w", err)
		}
	}
	for _, step := range []func() error{
		func() error { return h.copy(ShapeCompacted, "compact", (*Session).untilBoundary) },
		func() error { return h.copy(ShapeHiddenBranch, "prompt_input_exit", (*Session).whole) },
		func() error { return h.copy(ShapeInterrupted, "clear", (*Session).whole) },
		func() error { return h.copy(ShapeEscape, "compact", (*Session).firstHalf) },
		func() error { return h.gone(p) },
		h.pending,
		h.documents,
		h.ledger,
		h.finish,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// copied is what a hook copied of a transcript, and when.
type copied struct {
	content []byte
	made    time.Time
}

// whole is the copy that the hook of a session's end makes.
func (s *Session) whole(content []byte) copied {
	return copied{content: content, made: s.Last.Add(2 * time.Second)}
}

// untilBoundary is the copy that the hook before a compaction makes: what stands before the first boundary.
func (s *Session) untilBoundary(content []byte) copied {
	at := bytes.Index(content, []byte(`"subtype":"compact_boundary"`))
	return s.until(content, bytes.LastIndexByte(content[:max(at, 0)], '\n')+1)
}

// firstHalf is such a copy of a session that went on without a compaction: the client called it off.
func (s *Session) firstHalf(content []byte) copied {
	return s.until(content, bytes.LastIndexByte(content[:len(content)/2], '\n')+1)
}

// until is a copy of the first n bytes, made when the last record in them was written.
func (s *Session) until(content []byte, n int) copied {
	c := copied{content: content[:n], made: s.Last}
	const key = `"timestamp":"`
	if i := bytes.LastIndex(c.content, []byte(key)); i >= 0 {
		stamp := c.content[i+len(key):]
		if t, err := time.Parse(stampLayout, string(stamp[:min(len(stampLayout), len(stamp))])); err == nil {
			c.made = t.Add(time.Second)
		}
	}
	return c
}

// copy backs up the session that has a shape, if there is one.
func (h *hooks) copy(shape Shape, reason string, part func(*Session, []byte) copied) error {
	s := h.find(shape)
	if s == nil {
		return nil
	}
	content, err := os.ReadFile(s.Path)
	if err != nil {
		return fmt.Errorf("demo backup: %w", err)
	}
	_, err = h.raw(s.Workdir, reason, part(s, content))
	return err
}

func (h *hooks) find(shape Shape) *Session {
	for i := range h.stats.List {
		for _, have := range h.stats.List[i].Shapes {
			if have == shape {
				return &h.stats.List[i]
			}
		}
	}
	return nil
}

// pending backs up the end of a session that nobody has dealt with yet: a marker names it.
func (h *hooks) pending() error {
	s := h.find(ShapeCustomTitle)
	if s == nil {
		return nil
	}
	content, err := os.ReadFile(s.Path)
	if err != nil {
		return fmt.Errorf("demo backup: %w", err)
	}
	path, err := h.raw(s.Workdir, "prompt_input_exit", s.whole(content))
	if err != nil {
		return err
	}
	return h.stats.file(filepath.Join(memoryOf(s.Workdir), ".pending-backup"), []byte(path+"\n"), s.Last.Add(2*time.Second))
}

// gone writes a backup whose session is nowhere else: the client's sweep took it eleven days ago.
func (h *hooks) gone(p *pool) error {
	o := h.options
	rng := rand.New(rand.NewPCG(o.Seed, 1<<63))
	t := &talk{
		rng: rng, id: newUUID(rng), cwd: filepath.Join(o.Root, projectName(0)), branch: "main",
		version: versionSpring, title: "First sketch of the booking flow", pool: p,
	}
	sketch(t)
	end := o.Now.Add(-41 * 24 * time.Hour)
	t.finish(end)
	_, err := h.raw(t.cwd, "prompt_input_exit", copied{content: t.buf, made: end.Add(2 * time.Second)})
	return err
}

// raw writes one backup as the hooks name it since January 2026, in UTC, and a line about it. It returns its path.
func (h *hooks) raw(project, reason string, c copied) (string, error) {
	dir := filepath.Join(memoryOf(project), "raw")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("demo backup: %w", err)
	}
	path := filepath.Join(dir, c.made.UTC().Format("20060102_150405Z_")+reason+".jsonl")
	if err := h.stats.file(path, c.content, c.made); err != nil {
		return "", err
	}
	h.stats.Backups++
	event := "SessionEnd (" + reason + ")"
	if reason == "compact" {
		event = "PreCompact (auto)"
	}
	h.log[project] += fmt.Sprintf("[%s] %s: Saved backup to %s\n", c.made.UTC().Format(time.RFC3339), event, path)
	return path, nil
}

// finish writes what stands beside the backups: the log, and what keeps them out of the repository.
func (h *hooks) finish() error {
	for project, log := range h.log {
		dir := memoryOf(project)
		err := errors.Join(
			h.stats.file(filepath.Join(dir, ".backup-log"), []byte(log), h.options.Now),
			h.stats.file(filepath.Join(dir, ".gitignore"), []byte("raw/\n.pending-backup*\n.backup-log\n"), h.options.Now))
		if err != nil {
			return err
		}
	}
	return nil
}

// documents writes the archived session documents, each in a chain with the one before it in its project, and
// what the first project knows of itself. Their times are local, as the spec has them.
func (h *hooks) documents() error {
	o := h.options
	last := map[string]string{} // project → name of its newest document
	for _, d := range documents() {
		project := filepath.Join(o.Root, projectName(d.project%o.Projects))
		at := o.Now.Add(-d.age)
		name := at.Format("session-2006-01-02-1504.md")
		previous := last[project]
		if previous == "" {
			previous = "null"
		}
		last[project] = name
		front := fmt.Sprintf("---\ndate: %s\nproject: %s\nstatus: %s\ntags: [%s]\nprevious_session: %s\nbranch: %s\n---\n",
			at.Format("2006-01-02 15:04"), filepath.Base(project), d.status, d.tags, previous, d.branch)
		if err := h.document(project, name, front+md(d.text), at); err != nil {
			return err
		}
	}
	first := filepath.Join(o.Root, projectName(0))
	at := o.Now.Add(-20*time.Hour - 2*time.Minute) // before the document: spec 000 has it updated first
	context := fmt.Sprintf(md(activeContext), at.Format(time.DateTime), last[first])
	return errors.Join(
		h.document(first, "active-context.md", context, at),
		h.document(first, "project-memory.md", md(projectMemory), o.Now.Add(-12*24*time.Hour)))
}

func (h *hooks) document(project, name, text string, at time.Time) error {
	dir := memoryOf(project)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("demo document: %w", err)
	}
	h.stats.Documents++
	return h.stats.file(filepath.Join(dir, name), []byte(strings.TrimPrefix(text, "\n")), at)
}

func memoryOf(project string) string { return filepath.Join(project, ".claude", "memory") }

// live writes the entry of the live registry that says that a process has the first session open (client
// 2.1.330).
func (o Options) live(dir string, stats *Stats) error {
	s := stats.List[0]
	if err := os.MkdirAll(filepath.Join(dir, "sessions"), 0o700); err != nil {
		return fmt.Errorf("demo registry: %w", err)
	}
	name := strconv.Itoa(o.Live) + ".json"
	millis := func(t time.Time) int { return int(t.UnixMilli()) }
	var t talk
	entry := object{
		{"pid", o.Live},
		{"sessionId", s.ID},
		{"cwd", s.Workdir},
		{"startedAt", millis(s.First)},
		{"version", s.Version},
		{"kind", "interactive"},
		{"entrypoint", "cli"},
		{"status", "idle"},
		{"updatedAt", millis(s.Last)},
		{"statusUpdatedAt", millis(s.Last)},
	}
	if o.Start != "" {
		entry = append(entry, field{"procStart", o.Start})
	}
	t.appendObject(entry)
	return stats.file(filepath.Join(dir, "sessions", name), t.buf, s.Last)
}

const activeContext = `
# Active Session Context

> Last Updated: %s
> Last Session Doc: %s

## Current Task

Give guest tokens the shared check.

## Completed This/Last Session

- The clock has its own file
- Leeway of 30 s

## In Progress

- ~src/auth/guest.go~

## Next Steps

1. Guest tokens
2. Admin console

## Blockers

- None

## Key Files Modified

- ~src/auth/claims.go~
`

const projectMemory = `
# Project Memory

What stays true about the teahouse.

## Key Patterns

- Time is a parameter

## Architecture Decisions

- A hold is a booking with a deadline

## Known Gotchas

- The staging host runs 2 s behind

## Important Context

- Six tables, 41 teas, closed on Tuesdays
`
