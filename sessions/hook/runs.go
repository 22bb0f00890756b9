package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// The results of a run.
const (
	ResultSaved    = "saved"     // a backup was made
	ResultTold     = "told"      // the model got a message
	ResultNothing  = "nothing"   // there was nothing to do
	ResultNoMemory = "no-memory" // the project has no memory, so nothing was read
	ResultFailed   = "failed"    // the run failed; Error has the reason
	ResultPassed   = "passed"    // the gate passed
	ResultHeld     = "held"      // the gate blocked a compaction
	ResultLet      = "let"       // the gate failed, but didn't block a second compaction
)

// Run is the record of one run of a hook, without text of the conversation and environment variables.
type Run struct {
	Time    time.Time `json:"time"`              // when the run began, in UTC
	Event   string    `json:"event"`             // the argument of continuo hook
	Project string    `json:"project"`           // the project or, without a memory, the directory of the hook
	Session string    `json:"session,omitempty"` // id; "" if unknown
	Reason  string    `json:"reason,omitempty"`  // reason of a SessionEnd, trigger of a PreCompact, source of a SessionStart
	Result  string    `json:"result"`            // one of the Result constants
	Backup  string    `json:"backup,omitempty"`  // file name of the backup
	Bytes   int64     `json:"bytes,omitempty"`   // size of the backup
	MS      int64     `json:"ms"`                // duration in milliseconds
	// Error is an error on one line. A run can have both a backup and an error.
	Error string `json:"error,omitempty"`
}

const (
	maxRuns  = 1 << 20 // maximum size of the file in bytes; then the older half is deleted
	maxField = 500     // maximum length of a text field in bytes
)

// errRunsLocked is returned if another program keeps the lock too long.
var errRunsLocked = disk.ErrLocked

// Runs is the file of all records: JSON lines, newest last. It is safe for concurrent use by several processes.
type Runs struct{ path string }

// OpenRuns returns the Runs in a file, which may not exist yet. continuo uses $XDG_STATE_HOME/continuo/hooks.jsonl.
func OpenRuns(path string) *Runs { return &Runs{path: path} }

// Append appends a run as one line. It deletes the older half of a file over 1 MB. The error is errRunsLocked after
// two seconds, or a system error.
func (r *Runs) Append(run Run) error {
	run.clean()
	line, err := json.Marshal(run)
	if err != nil {
		return fmt.Errorf("record run: %w", err)
	}
	done := make(chan error, 1)
	go func() {
		var err error
		if p := sessions.Catch(func() {
			for err = r.append(line); errors.Is(err, errRunsLocked); {
				err = r.append(line)
			}
		}); p != nil {
			err = p
		}
		done <- err
	}()
	limit := time.NewTimer(disk.LockLimit)
	defer limit.Stop()
	select {
	case err = <-done:
	case <-limit.C: // the goroutine may write the line later
		err = errRunsLocked
	}
	if err != nil {
		return fmt.Errorf("record run in %s: %w", r.path, err)
	}
	return nil
}

// clean cleans and truncates the texts of a run.
func (r *Run) clean() {
	for _, s := range []*string{&r.Event, &r.Session, &r.Reason, &r.Backup, &r.Error} {
		*s = transcript.CleanLine(*s)
		if len(*s) > maxField {
			*s = (*s)[:maxField] // if this cuts a character, json.Marshal replaces it
		}
	}
}

func (r *Runs) append(line []byte) error {
	dir, name := filepath.Split(r.path)
	root, err := disk.Make(dir, 0o700)
	if err != nil {
		return err
	}
	defer root.Close()
	unlock, err := root.Lock(context.Background(), name)
	if err != nil {
		return err
	}
	defer unlock()
	f, err := root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	if size+int64(len(line)) < maxRuns {
		return root.AppendLine(name, line, 0o600)
	}
	newer, err := io.ReadAll(io.NewSectionReader(f, max(0, size-maxRuns/2), maxRuns/2))
	if err != nil {
		return err
	}
	_, newer, _ = bytes.Cut(newer, []byte{'\n'}) // the first line may be incomplete
	if len(newer) > 0 && newer[len(newer)-1] != '\n' {
		newer = append(newer, '\n')
	}
	return root.Replace(name, append(append(newer, line...), '\n'), 0o600)
}

// Read returns the runs, newest first, and the number of invalid lines. A missing file has no runs. Clean the texts
// before you print them. The error is ctx.Err() or a system error.
func (r *Runs) Read(ctx context.Context) (runs []Run, damaged int, err error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, fmt.Errorf("read runs: %w", err)
	}
	info, err := os.Stat(r.path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, 0, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = transcript.ErrNotRegular
	}
	if err != nil {
		return nil, 0, fmt.Errorf("read runs: %w", err)
	}
	f, err := os.Open(r.path)
	if err != nil {
		return nil, 0, fmt.Errorf("read runs: %w", err)
	}
	defer f.Close()
	start := max(0, info.Size()-2*maxRuns) // other programs may have written a larger file
	data, err := io.ReadAll(io.NewSectionReader(f, start, 2*maxRuns))
	if err != nil {
		return nil, 0, fmt.Errorf("read runs: %w", err)
	}
	for line := range bytes.Lines(data) {
		var run Run
		switch err := json.Unmarshal(line, &run); {
		case len(bytes.TrimSpace(line)) == 0:
		case err != nil || run.Event == "" || run.Result == "" || run.Time.IsZero():
			damaged++
		default:
			runs = append(runs, run)
		}
	}
	slices.Reverse(runs)
	return runs, damaged, nil
}

// Fired is a summary of the runs of one event.
type Fired struct {
	Last     Run // the newest run
	Failed   Run // the newest run with an Error; zero if there is none
	Runs     int
	Failures int // number of runs with an Error
}

// Summarize returns a summary for each event with runs in a project, or in all projects for "". runs must be sorted
// like the result of Read.
func Summarize(runs []Run, project string) map[string]Fired {
	events := map[string]Fired{}
	for i := range runs {
		run := &runs[i]
		if project != "" && filepath.Clean(run.Project) != filepath.Clean(project) {
			continue
		}
		f := events[run.Event]
		if f.Runs++; f.Runs == 1 {
			f.Last = *run
		}
		if run.Error != "" {
			if f.Failures++; f.Failures == 1 {
				f.Failed = *run
			}
		}
		events[run.Event] = f
	}
	return events
}
