package cli

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/heal"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/transcript"
)

// healFiles is how many files a plan names, when it is not asked for all.
const healFiles = 8

// healTouched draws what is written.
func healTouched(env *Env, h *healLook, ask *healAsk) []change.Line {
	var lines []change.Line
	files, folders := 0, 0
	for i := range h.steps {
		s := &h.steps[i]
		if s.Do == heal.Make {
			folders++
			lines = append(lines, change.Line{Tone: change.Muted, Text: env.tilde(s.Path) + string(filepath.Separator), Whole: true, Right: "made"})
		}
		for k, f := range s.Files {
			files++
			if k == healFiles && !ask.verbose && len(s.Files) > healFiles+1 {
				lines = append(lines, change.Line{Tone: change.Faint, Text: "… " + out.Count(len(s.Files)-healFiles, "more file")})
			}
			if k < healFiles || ask.verbose || len(s.Files) == healFiles+1 {
				lines = append(lines, change.Line{Tone: change.Muted, Text: env.tilde(f.Path), Whole: true, Right: healFrom(f)})
			}
		}
	}
	if len(lines) == 0 {
		return nil
	}
	var all []string
	if files > 0 {
		all = append(all, out.Count(files, "file"))
	}
	if folders > 0 {
		all = append(all, out.Count(folders, "folder"))
	}
	first := change.Line{Text: strings.Join(all, " and ") + ", and 1 line in the trajectory that says so"}
	return append([]change.Line{first}, lines...)
}

// healFrom says where a file comes from, and how long it is.
func healFrom(f heal.File) string {
	lines := strings.Count(string(f.Text), "\n")
	if n := len(f.Text); n > 0 && f.Text[n-1] != '\n' {
		lines++
	}
	return words.Counted(lines, "line", "lines") + " from " + map[heal.Source]string{heal.Head: "HEAD", heal.Staged: "the index", heal.Template: "the template"}[f.From]
}

// healed is what was done.
type healed struct {
	made     []string // paths of files and folders
	failed   int      // parts that could not be healed
	problems []string // sentences
	id       string   // of the action; "" nothing of it can be taken back
	recorded string   // the trajectory that was written to
}

// runHeal does what was planned. A file or a folder that can't be made is said, and the rest goes on. After an error nothing was
// written, and no folder was made: a grimoire that is there does not come back from git any more.
func runHeal(ctx context.Context, env *Env, h *healLook) (done healed, err error) {
	w := &healWriting{env: env, look: h, taken: map[string]bool{}}
	var but string
	if done.id, but, err = w.write(ctx); err != nil {
		return done, err
	}
	for i := range h.steps {
		s := &h.steps[i]
		bad := 0
		if s.Do == heal.Make {
			if err := ledger.MakeDir(ctx, h.ledger.Project.Root, s.Path); err != nil {
				bad++
				done.problems = append(done.problems, env.tilde(s.Path)+" could not be made: "+out.Reason(healCause(err))+".")
			} else {
				done.made = append(done.made, s.Path)
			}
		}
		for _, f := range s.Files {
			switch err := w.why[f.Path]; {
			case err != nil:
				bad++
				done.problems = append(done.problems, env.tilde(f.Path)+" could not be written: "+out.Reason(healCause(err))+".")
			case slices.Contains(w.made, f.Path) && !slices.Contains(done.made, f.Path):
				done.made = append(done.made, f.Path)
			}
		}
		if bad > 0 || s.Do == heal.Restore && s.With != "" && h.failedWith(s.With, &done) {
			done.failed++
		}
	}
	if but != "" {
		done.problems = append(done.problems, but)
	}
	var problem string
	if done.recorded, problem = recordHeal(ctx, env, h, done.failed); problem != "" {
		done.problems = append(done.problems, problem)
	}
	return done, nil
}

// failedWith reports whether nothing of a part came back.
func (h *healLook) failedWith(part heal.Part, done *healed) bool {
	i := slices.IndexFunc(h.steps, func(s heal.Step) bool { return s.Part == part })
	return i >= 0 && !slices.ContainsFunc(h.steps[i].Files, func(f heal.File) bool { return slices.Contains(done.made, f.Path) })
}

// healCause is the error below one that names its path.
func healCause(err error) error {
	if below := errors.Unwrap(err); below != nil {
		return below
	}
	return err
}

// healName names what is done, for the journal.
func healName(h *healLook) string {
	var parts []string
	for i := range h.steps {
		if s := &h.steps[i]; s.Issue() && s.Do != heal.Leave {
			parts = append(parts, string(s.Part))
		}
	}
	return transcript.CleanLine("Healed the ledger: " + strings.Join(parts, ", "))
}

// healRecord is the file that a run is logged in.
func healRecord(env *Env, h *healLook) string {
	return filepath.Join(h.ledger.Project.Trajectory, trajectory.Name(trajectory.SystemAgent, env.now().Format(time.DateOnly)))
}

// recordHeal appends to the trajectory that a ledger was healed, was found well, or could not be healed (spec 002: a run is
// logged). failed are the parts of which the writing failed. The answer is the file that it wrote to, or a sentence that
// says why it did not.
func recordHeal(ctx context.Context, env *Env, h *healLook, failed int) (path, problem string) {
	path = healRecord(env, h)
	status, message := "complete", "The ledger is well."
	if h.mends() {
		message = healName(h) + "."
	}
	if left := h.stuck() + failed; left > 0 {
		status = "partial"
		if !h.mends() {
			message = "Nothing of the ledger could be healed."
		}
		message += " " + words.Counted(left, "part is", "parts are") + " not healed."
	}
	err := trajectory.Append(ctx, h.ledger.Project.Root, path, trajectory.SelfHeal{
		Timestamp: env.now().UTC().Format(time.RFC3339), Phase: trajectory.PhaseSelfHeal, Status: status, Message: message,
	})
	if err != nil {
		return "", "The run could not be logged in " + env.tilde(path) + ": " + strings.TrimSuffix(out.Reason(healCause(err)), ".") + "."
	}
	return path, ""
}
