package entries

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/heal"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/transcript"
)

// healFiles is how many files a plan names without --verbose.
const healFiles = 8

// healTouched lists the files to write.
func healTouched(env *place.Env, h *HealLook, ask *healAsk) []change.Line {
	var lines []change.Line
	files, folders := 0, 0
	for i := range h.Steps {
		s := &h.Steps[i]
		if s.Do == heal.Make {
			folders++
			lines = append(lines, change.Line{Tone: change.Muted, Text: env.Tilde(s.Path) + string(filepath.Separator), Whole: true, Right: "made"})
		}
		for k, f := range s.Files {
			files++
			if k == healFiles && !ask.verbose && len(s.Files) > healFiles+1 {
				lines = append(lines, change.Line{Tone: change.Faint, Text: "… " + out.Count(len(s.Files)-healFiles, "more file")})
			}
			if k < healFiles || ask.verbose || len(s.Files) == healFiles+1 {
				lines = append(lines, change.Line{Tone: change.Muted, Text: env.Tilde(f.Path), Whole: true, Right: healFrom(f)})
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
	first := change.Line{Text: strings.Join(all, " and ")}
	if h.logs() {
		first.Text += ", and 1 record in the trajectory"
	}
	return append([]change.Line{first}, lines...)
}

// healFrom describes the source and the length of a file.
func healFrom(f heal.File) string {
	lines := strings.Count(string(f.Text), "\n")
	if n := len(f.Text); n > 0 && f.Text[n-1] != '\n' {
		lines++
	}
	return words.Counted(lines, "line", "lines") + " from " + map[heal.Source]string{heal.Head: "HEAD", heal.Staged: "the index", heal.Template: "the template"}[f.From]
}

// Healed is the result of a heal.
type Healed struct {
	Made     []string // paths of the new files and folders
	Failed   int      // parts that were not repaired
	Problems []string // messages about failures
	ID       string   // ID of the journal entry; "" if there is nothing to undo
	Recorded string   // trajectory with the record
}

// RunHeal carries out the plan, and continues after a failure. After an error, it has created nothing: an empty
// folder would prevent the next heal from using git.
func RunHeal(ctx context.Context, env *place.Env, h *HealLook) (done Healed, err error) {
	w := &HealWriting{Env: env, Look: h, Taken: map[string]bool{}}
	var but string
	if done.ID, but, err = w.write(ctx); err != nil {
		return done, err
	}
	for i := range h.Steps {
		s := &h.Steps[i]
		bad := 0
		if s.Do == heal.Make {
			if err := ledger.MakeDir(ctx, h.ledger.Project.Root, s.Path); err != nil {
				bad++
				done.Problems = append(done.Problems, env.Tilde(s.Path)+" could not be made: "+out.Reason(HealCause(err))+".")
			} else {
				done.Made = append(done.Made, s.Path)
			}
		}
		for _, f := range s.Files {
			switch err := w.why[f.Path]; {
			case err != nil:
				bad++
				done.Problems = append(done.Problems, env.Tilde(f.Path)+" could not be written: "+out.Reason(HealCause(err))+".")
			case slices.Contains(w.Made, f.Path) && !slices.Contains(done.Made, f.Path):
				done.Made = append(done.Made, f.Path)
			}
		}
		if bad > 0 || s.Do == heal.Restore && s.With != "" && h.failedWith(s.With, &done) {
			done.Failed++
		}
	}
	if but != "" {
		done.Problems = append(done.Problems, but)
	}
	var problem string
	if done.Recorded, problem = recordHeal(ctx, env, h, done.Failed); problem != "" {
		done.Problems = append(done.Problems, problem)
	}
	return done, nil
}

// failedWith reports whether no file of a part was restored.
func (h *HealLook) failedWith(part heal.Part, done *Healed) bool {
	i := slices.IndexFunc(h.Steps, func(s heal.Step) bool { return s.Part == part })
	return i >= 0 && !slices.ContainsFunc(h.Steps[i].Files, func(f heal.File) bool { return slices.Contains(done.Made, f.Path) })
}

// HealCause returns the cause of an error that names a path.
func HealCause(err error) error {
	if below := errors.Unwrap(err); below != nil {
		return below
	}
	return err
}

// healName describes the repairs for the journal.
func healName(h *HealLook) string {
	var parts []string
	for i := range h.Steps {
		if s := &h.Steps[i]; s.Issue() && s.Do != heal.Leave {
			parts = append(parts, string(s.Part))
		}
	}
	return transcript.CleanLine("Healed the ledger: " + strings.Join(parts, ", "))
}

// healRecord returns the trajectory for the record.
func healRecord(env *place.Env, h *HealLook) string {
	return filepath.Join(h.ledger.Project.Trajectory, trajectory.Name(trajectory.SystemAgent, env.Now().Format(time.DateOnly)))
}

// logs reports whether a run is recorded: something is missing, and the project has or gets a trajectory.
func (h *HealLook) logs() bool {
	return heal.Issues(h.Steps) > 0 && slices.ContainsFunc(h.Steps, func(s heal.Step) bool {
		return s.Part == heal.Trajectory && (s.State == heal.There || s.Do == heal.Restore || s.Do == heal.Make)
	})
}

// recordHeal appends the result to the trajectory if logs is true (spec 002). failed is the number of parts that
// weren't written. It returns the path, or a message about the failure.
func recordHeal(ctx context.Context, env *place.Env, h *HealLook, failed int) (path, problem string) {
	if !h.logs() {
		return "", ""
	}
	path = healRecord(env, h)
	status, message := "complete", healName(h)+"."
	if left := h.Stuck() + failed; left > 0 {
		status = "partial"
		if !h.mends() {
			message = "No part of the ledger could be restored."
		}
		message += " " + words.Counted(left, "part is", "parts are") + " not healed."
	}
	err := trajectory.Append(ctx, h.ledger.Project.Root, path, trajectory.SelfHeal{
		Timestamp: env.Now().UTC().Format(time.RFC3339), Phase: trajectory.PhaseSelfHeal, Status: status, Message: message,
	})
	if err != nil {
		return "", "The run could not be logged in " + env.Tilde(path) + ": " + strings.TrimSuffix(out.Reason(HealCause(err)), ".") + "."
	}
	return path, ""
}
