// Package demo makes up a Claude config directory: believable conversations about a bookshop, a teahouse and
// tide tables, and every odd shape that real transcripts have. Tests, benchmarks and `continuo demo` use it.
// The same Options give the same bytes, on every machine and on every run.
//
// The records have the shapes of the real client (2.1.330 and three older versions): order of fields, chain of
// parents through attachments, one record per content block. All text is made up.
package demo

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Options say what to make. The zero value makes 24 sessions of 6 projects, 900 KB in all.
type Options struct {
	Seed     uint64    // another seed, other ids and words
	Sessions int       // how many transcripts; 0 is 24. The first of them have the Shapes
	Projects int       // over how many working directories they are spread; 0 is 6
	Bytes    int64     // size of all transcripts together; 0, or less than the texts need, is their natural size
	Now      time.Time // time of the newest record, from which all others derive; zero is a day in November 2026
	Root     string    // absolute directory under which the made-up projects are said to live; "" is /home/ada/code
	Memory   bool      // make the projects too, below Root, with backups and documents in them (spec 000)
	Live     int       // id of a process that is said to have the first session open; 0 for none
	Start    string    // of that process, as sessions.Probe has it; "" leaves it out, and then it cannot be verified
}

// Shape is something in a transcript that a reader has to cope with.
type Shape string

// The shapes. There is one session of each, as long as there are enough sessions.
const (
	ShapeSubagent     Shape = "subagent"      // a sub-agent with a transcript of its own
	ShapeCompacted    Shape = "compacted"     // a compaction boundary and the summary after it
	ShapeSidechain    Shape = "sidechain"     // a sub-agent inside the file, as old clients wrote it
	ShapeHiddenBranch Shape = "hidden-branch" // two prompts with one parent
	ShapeAPIError     Shape = "api-error"     // an answer that the client made up
	ShapeInterrupted  Shape = "interrupted"   // a turn that was stopped
	ShapeSDK          Shape = "sdk"           // of claude -p
	ShapeStub         Shape = "stub"          // metadata only
	ShapeEmpty        Shape = "empty"         // no byte
	ShapeCorrupt      Shape = "corrupt"       // a line in the middle that is no JSON
	ShapeTornTail     Shape = "torn-tail"     // a last line that is cut
	ShapeMultiByte    Shape = "multi-byte"    // text in many scripts
	ShapeEscape       Shape = "escape"        // tool output with escape sequences
	ShapeCommand      Shape = "command"       // a slash command
	ShapeCustomTitle  Shape = "custom-title"  // a name that the person gave
	ShapeTodos        Shape = "todos"         // a list of to-dos
)

// Stats say what was made.
type Stats struct {
	Sessions  int   // transcripts, the empty one included
	Files     int   // all files: transcripts, those of sub-agents, their side files, all of Memory
	Lines     int   // of all transcripts, sub-agents included
	Broken    int   // lines that are no JSON object
	Bytes     int64 // of all files
	Backups   int   // of Memory
	Documents int   // of Memory, active context and project memory included
	List      []Session
	Shapes    map[Shape][]string // ids of the sessions that have them
}

// Session is one of the sessions that were made.
type Session struct {
	ID      string
	Path    string    // of the transcript
	Agents  []string  // paths of the transcripts of its sub-agents
	Workdir string    // where the client is said to have been started
	Branch  string    // git branch
	Version string    // of the client
	Name    string    // the name to be shown: custom title > generated title > summary > first prompt
	Prompts int       // by the person, on all branches; slash commands too
	First   time.Time // of the first record that has a time; zero without one
	Last    time.Time // of the last record, and the modification time of the file
	Lines   int       // of the transcript
	Bytes   int64     // of the transcript
	Shapes  []Shape
}

// Write makes the directories and files under dir, which may exist, and returns what they are. It replaces no
// file: one that is there already is an error. Directories get mode 0700 and files 0600. Nothing is synced to
// disk, for all of it can be made again. With Memory, the projects below Root are made in the same way.
func Write(ctx context.Context, dir string, o Options) (Stats, error) {
	if o.Memory && o.Root == "" {
		return Stats{}, errNoRoot
	}
	o = o.withDefaults()
	stats := Stats{Shapes: map[Shape][]string{}}
	left := newBudget(o)
	p := newPool(rand.New(rand.NewPCG(o.Seed, 0)))
	var buf []byte
	for i := range o.Sessions {
		if err := ctx.Err(); err != nil {
			return stats, fmt.Errorf("demo session %d of %d: %w", i, o.Sessions, err)
		}
		t := newTalk(o, i, p)
		t.buf = buf[:0]
		c := role(i)
		c.play(t, left.share(i))
		left.spend(t)
		end := o.Now.Add(-age(t.rng, i, o.Sessions))
		base := t.finish(end)
		if err := t.save(dir, base, end, &stats); err != nil {
			return stats, err
		}
		buf = t.buf
	}
	if o.Live != 0 {
		if err := o.live(dir, &stats); err != nil {
			return stats, err
		}
	}
	if o.Memory {
		return stats, o.memory(p, &stats)
	}
	return stats, nil
}

func (o Options) withDefaults() Options {
	if o.Sessions <= 0 {
		o.Sessions = 24
	}
	if o.Projects <= 0 {
		o.Projects = 6
	}
	o.Bytes = max(o.Bytes, 0)
	if o.Now.IsZero() {
		o.Now = time.Date(2026, time.November, 20, 17, 30, 0, 0, time.UTC)
	}
	o.Now = o.Now.Truncate(time.Millisecond)
	if o.Root == "" {
		o.Root = "/home/ada/code"
	}
	return o
}

// age is how long before Now session i of n ended: the first one now, two in five within the last five days,
// the oldest after four weeks, two days before the client's sweep takes it.
func age(rng *rand.Rand, i, n int) time.Duration {
	const oldest = 28 * 24 * time.Hour / time.Millisecond
	if i == 0 {
		return 0
	}
	last := int64(n - 1)
	ms := int64(oldest)*int64(i)/last*int64(i)/last + rng.Int64N(int64(time.Hour/time.Millisecond))
	return time.Duration(ms) * time.Millisecond
}

// save writes the files of one session and adds them to the stats.
func (t *talk) save(dir string, base, end time.Time, stats *Stats) error {
	project := filepath.Join(dir, "projects", sessions.Slug(t.cwd))
	// The client makes memory/ in every project directory: not every entry there is a session.
	if err := os.MkdirAll(filepath.Join(project, "memory"), 0o700); err != nil {
		return fmt.Errorf("demo directory: %w", err)
	}
	s := Session{
		ID: t.id, Path: filepath.Join(project, t.id+".jsonl"), Workdir: t.cwd, Branch: t.branch, Version: t.version,
		Name: t.name(), Prompts: t.prompts, Last: end, Lines: t.lines, Bytes: int64(len(t.buf)), Shapes: t.shapes,
	}
	if t.prompts > 0 {
		s.First = base.Add(t.stamps[0].at)
	}
	if err := stats.file(s.Path, t.buf, end); err != nil {
		return err
	}
	stats.Lines += t.lines
	stats.Broken += t.broken
	for _, a := range t.agents {
		sub := filepath.Join(project, t.id, "subagents")
		if err := os.MkdirAll(sub, 0o700); err != nil {
			return fmt.Errorf("demo directory: %w", err)
		}
		path := filepath.Join(sub, "agent-"+a.agent)
		last := base.Add(a.at)
		err := errors.Join(stats.file(path+".jsonl", a.buf, last), stats.file(path+".meta.json", []byte(a.meta), last))
		if err != nil {
			return err
		}
		s.Agents = append(s.Agents, path+".jsonl")
		stats.Lines += a.lines
	}
	stats.Sessions++
	stats.List = append(stats.List, s)
	for _, shape := range s.Shapes {
		stats.Shapes[shape] = append(stats.Shapes[shape], s.ID)
	}
	return nil
}

// file writes a new file and sets its times.
func (s *Stats) file(path string, content []byte, modified time.Time) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("demo file: %w", err)
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("demo file %s: %w", path, err)
	}
	if err := os.Chtimes(path, modified, modified); err != nil {
		return fmt.Errorf("demo file: %w", err)
	}
	s.Files++
	s.Bytes += int64(len(content))
	return nil
}
