// Package stats counts what happened in transcripts: time, messages, tool calls, tokens, changed files, commands.
//
// A Counter counts an answer or a message once, even in several records or in copies of forked and resumed sessions.
package stats

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// MaxGap is the maximum active time between two records.
const MaxGap = 5 * time.Minute

// Figures are the sums of one or several transcripts.
type Figures struct {
	First, Last       time.Time     // times of the first and last record; zero if there are none
	Active            time.Duration // sum of the times between records, except times over MaxGap
	Messages, Prompts int           // Messages is the number of prompts and answers, without sub-agents
	Compactions       int
	Errors            int // number of API errors
	Tools             []Tool
	Models            []Model
	Files             []File
	Commands          int // number of commands that Claude ran
	CommandsFailed    int
	Requests          []PullRequest
	Agents            int // number of transcripts of sub-agents
	Failures          []Failure
	Context           []Context   // by time
	Compacted         []time.Time // times of compactions, in order
}

// Place is the position of a tool call.
type Place struct {
	Transcript string // path of the file; "" if unknown
	Call       string // ID of the call in it
}

// Failure counts failed calls with the same target.
type Failure struct {
	What string // the command, the file or another target, or the tool; one clean line
	Exit int    // exit code of the last call; 0 if unknown
	N    int
	Last time.Time // zero unknown
	At   Place     // the last one
}

// Context is the size of the context after an answer in the main thread.
type Context struct {
	Time   time.Time
	Tokens int64
}

// Tool counts the calls of one tool.
type Tool struct {
	Name     string // result of Call.Verb: one clean line
	Calls    int
	Failed   int
	InAgents int // number of these calls by sub-agents
}

// Model counts the answers of a model, separately for sub-agents.
type Model struct {
	Name     string
	Agent    bool // the answers are from sub-agents
	Messages int  // number of answers from the API
	Tokens   transcript.Usage
}

// File counts the changes of one file.
type File struct {
	Path           string // as written in the calls, and clean
	Changes        int
	Added, Removed int       // lines
	Last           time.Time // zero unknown
	At             Place     // the last change
}

// PullRequest is a pull request that the client linked to a session.
type PullRequest struct {
	Number     int64
	Repository string // clean; "" if unknown
	URL        string // clean
	Linked     time.Time
}

// Calls returns the numbers of tool calls and of failed tool calls.
func (f *Figures) Calls() (calls, failed int) {
	for _, t := range f.Tools {
		calls, failed = calls+t.Calls, failed+t.Failed
	}
	return calls, failed
}

// Tokens returns the sum over all models.
func (f *Figures) Tokens() transcript.Usage {
	var u transcript.Usage
	for _, m := range f.Models {
		u = u.Add(m.Tokens)
	}
	return u
}

// Lines returns the numbers of lines that were added to and removed from all files.
func (f *Figures) Lines() (added, removed int) {
	for _, file := range f.Files {
		added, removed = added+file.Added, removed+file.Removed
	}
	return added, removed
}

// CacheShare returns the share of the input that came from the cache, from 0 to 1; 0 if there is no input.
func CacheShare(u transcript.Usage) float64 {
	all := u.Input + u.CacheRead + u.CacheWrite
	if all == 0 {
		return 0
	}
	return float64(u.CacheRead) / float64(all)
}

// Duration returns the time from the first to the last record.
func (f *Figures) Duration() time.Duration { return f.Last.Sub(f.First) }

// Tally collects the figures of one or several transcripts. The zero Tally is empty.
type Tally struct {
	times    []int64 // Unix milliseconds
	sums     Figures // without the lists and times
	tools    map[string]Tool
	answers  map[answerKey]answer
	files    map[string]File
	requests map[string]PullRequest
	failures map[string]Failure
	context  map[answerKey]Context
}

// answerKey identifies an answer. record is set only without a message ID.
type answerKey struct{ message, request, record string }

type answer struct {
	model  string
	agent  bool
	tokens transcript.Usage
}

// Add adds the figures of another tally.
func (t *Tally) Add(o *Tally) {
	t.times = append(t.times, o.times...)
	s, n := &t.sums, &o.sums
	s.Messages, s.Prompts, s.Compactions, s.Errors = s.Messages+n.Messages, s.Prompts+n.Prompts, s.Compactions+n.Compactions, s.Errors+n.Errors
	s.Commands, s.CommandsFailed, s.Agents = s.Commands+n.Commands, s.CommandsFailed+n.CommandsFailed, s.Agents+n.Agents
	s.Compacted = append(s.Compacted, n.Compacted...)
	for name, tool := range o.tools {
		t.tool(name, tool)
	}
	for path, file := range o.files {
		t.file(path, file)
	}
	for key, a := range o.answers {
		put(&t.answers, key, a)
	}
	for url, r := range o.requests {
		put(&t.requests, url, r)
	}
	for what, failure := range o.failures {
		t.failure(what, failure)
	}
	for key, c := range o.context {
		put(&t.context, key, c)
	}
}

func put[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}

func (t *Tally) tool(name string, add Tool) {
	sum := t.tools[name]
	put(&t.tools, name, Tool{name, sum.Calls + add.Calls, sum.Failed + add.Failed, sum.InAgents + add.InAgents})
}

func (t *Tally) file(path string, add File) {
	sum := t.files[path]
	last := add
	if add.Last.Before(sum.Last) {
		last = sum
	}
	put(&t.files, path, File{path, sum.Changes + add.Changes, sum.Added + add.Added, sum.Removed + add.Removed, last.Last, last.At})
}

func (t *Tally) failure(what string, add Failure) {
	sum := t.failures[what]
	if add.Last.Before(sum.Last) {
		sum, add = add, sum
	}
	put(&t.failures, what, Failure{what, add.Exit, sum.N + add.N, add.Last, add.At})
}

// Empty reports whether nothing was counted.
func (t *Tally) Empty() bool { return len(t.times) == 0 && t.sums.Messages == 0 }

// Figures returns the sums. Tools are sorted by calls, models by output, and files by lines, largest first. Failures
// and pull requests are sorted by time.
func (t *Tally) Figures() Figures {
	f := t.sums
	slices.Sort(t.times)
	for i, at := range t.times {
		if gap := time.Duration(at-t.times[max(i-1, 0)]) * time.Millisecond; gap <= MaxGap {
			f.Active += gap
		}
	}
	if n := len(t.times); n > 0 {
		f.First, f.Last = transcript.At(t.times[0]), transcript.At(t.times[n-1])
	}
	f.Tools = slices.SortedFunc(maps.Values(t.tools), func(a, b Tool) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Name, b.Name))
	})
	f.Files = slices.SortedFunc(maps.Values(t.files), func(a, b File) int {
		return cmp.Or(cmp.Compare(b.Added+b.Removed, a.Added+a.Removed), cmp.Compare(a.Path, b.Path))
	})
	f.Requests = slices.SortedFunc(maps.Values(t.requests), func(a, b PullRequest) int {
		return cmp.Or(a.Linked.Compare(b.Linked), cmp.Compare(a.URL, b.URL))
	})
	f.Failures = slices.SortedFunc(maps.Values(t.failures), func(a, b Failure) int {
		return cmp.Or(a.Last.Compare(b.Last), cmp.Compare(a.What, b.What))
	})
	f.Context = slices.SortedFunc(maps.Values(t.context), func(a, b Context) int {
		return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.Tokens, b.Tokens))
	})
	f.Compacted = slices.SortedFunc(slices.Values(t.sums.Compacted), time.Time.Compare)
	type model struct {
		name  string
		agent bool
	}
	models := map[model]Model{}
	for _, a := range t.answers {
		key := model{a.model, a.agent}
		m := models[key]
		models[key] = Model{a.model, a.agent, m.Messages + 1, m.Tokens.Add(a.tokens)}
	}
	f.Models = slices.SortedFunc(maps.Values(models), func(a, b Model) int {
		return cmp.Or(cmp.Compare(b.Tokens.Output, a.Tokens.Output), cmp.Compare(a.Name, b.Name), compareBool(a.Agent, b.Agent))
	})
	return f
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
