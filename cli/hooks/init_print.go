package hooks

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/hook/setup"
	"github.com/continuo-tui/continuo/tui/render"
)

// setupView is a plan of init or uninstall, with facts for printing.
type setupView struct {
	plan    *setup.Plan
	project string
	asked   setup.Scope // the scope of a flag, or ""
	removes bool
	hooks   bool   // remove only the hooks
	line    string // the command line without --yes
	offPath bool   // continuo isn't on the PATH

	again func(context.Context) (setup.Plan, error) // plans again
}

// waits reports whether hooks can't run yet: a project's hooks need continuo on the PATH.
func (v *setupView) waits(settings string) bool {
	return v.offPath && v.plan.Project != "" && place.Within(settings, v.plan.Project)
}

// changeAction returns the word for the change of a file.
func changeAction(c *setup.Change) string {
	switch {
	case c.Gone:
		return "removed"
	case !c.There:
		return "new"
	}
	return "changed"
}

// diffText returns a unified diff. It includes new and deleted files only if whole is set.
func diffText(env *place.Env, v *setupView, o *out.Stream, whole bool) string {
	var b strings.Builder
	for i := range v.plan.Changes {
		c := &v.plan.Changes[i]
		diff := change.Diff(c.Before, c.After)
		if len(diff) == 0 || !whole && changeAction(c) != "changed" {
			continue
		}
		from, to := v.name(env, c.Path), v.name(env, c.Path)
		if !c.There {
			from = "/dev/null"
		}
		if c.Gone {
			to = "/dev/null"
		}
		b.WriteString(o.Styles.Paint(render.Strong, "--- "+from) + "\n" + o.Styles.Paint(render.Strong, "+++ "+to) + "\n")
		for _, line := range diff {
			b.WriteString(o.Styles.Paint(render.ToneInk(line.Tone), out.OneLine(line.Text)) + "\n")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// name returns a path for messages: relative, or with ~.
func (v *setupView) name(env *place.Env, path string) string {
	if rel, err := filepath.Rel(v.project, path); v.project != "" && err == nil && filepath.IsLocal(rel) {
		return out.CleanPath(rel)
	}
	return env.Tilde(path)
}

// setupText returns the summary of a plan.
func setupText(env *place.Env, v *setupView, o *out.Stream) string {
	p := &writing.Plan{}
	p.Add("Touched", setupTouched(env, v, !o.Terminal || o.Width >= setupNarrow)...)
	var but []change.Line
	for _, w := range v.plan.Warnings {
		but = append(but, change.Line{Mark: change.Warn, Text: withTilde(env, w.Text)})
	}
	p.Add("But", but...)
	p.Add("Stays", setupStays(env, v)...)
	p.Add("Undo", change.Line{Text: setupUndo(v)})
	return p.Text(o)
}

// setupUndo says how to undo a plan, and what undo can't restore.
func setupUndo(v *setupView) string {
	flag := ""
	if v.asked == setup.ScopeUser {
		flag = " --user"
	}
	if !v.removes {
		return "continuo uninstall" + flag + " undoes this: files that haven't changed by then are restored byte for byte."
	}
	text := "continuo init" + flag + " installs the hooks and files of this version again."
	if len(v.plan.Lost) == 0 {
		return text
	}
	var names []string
	for _, path := range v.plan.Lost {
		names = append(names, place.BaseName(path))
	}
	return text + " The contents of " + words.AndList(names) + " are not restored."
}

// warningRun returns the command of a warning, or "".
func warningRun(env *place.Env, w *setup.Warning) string {
	if w.Run == "" || w.Dir == "" {
		return w.Run
	}
	return "cd " + env.ShellPath(w.Dir) + " && " + w.Run
}

// setupNarrow is the minimum width for a second column, in cells.
const setupNarrow = 60

// setupTouched lists the files and, if there is room, their changes.
func setupTouched(env *place.Env, v *setupView, room bool) []change.Line {
	n, mine := map[string]int{}, 0 // n: files by change; mine: files outside of the project
	var lines []change.Line
	for i := range v.plan.Changes {
		c := &v.plan.Changes[i]
		action := changeAction(c)
		n[action]++
		if v.plan.Project == "" || !place.Within(c.Path, v.plan.Project) {
			mine++
		}
		added, removed := change.Counts(change.Diff(c.Before, c.After))
		right := "+" + words.Count(added) + " −" + words.Count(removed)
		switch {
		case action == "new":
			right = "new, " + out.Count(added, "line")
		case action == "removed":
			right = action
		case added+removed == 0:
			right = "made executable"
		}
		if !room {
			right = ""
		}
		lines = append(lines, change.Line{Tone: change.Muted, Text: v.name(env, c.Path), Right: right, Whole: true})
		if c.Real != c.Path {
			lines = append(lines, change.Line{Tone: change.Faint, Text: "a link to " + env.Tilde(c.Real)})
		}
	}
	var parts []string
	for _, action := range []string{"new", "changed", "removed"} {
		if n[action] > 0 {
			parts = append(parts, out.Count(n[action], "file")+" "+action)
		}
	}
	if dirs := len(v.plan.Dirs); dirs > 0 && v.removes {
		parts = append(parts, words.Counted(dirs, "empty directory", "empty directories")+" removed")
	} else if dirs > 0 {
		parts = append(parts, words.Counted(dirs, "directory", "directories")+" made")
	}
	var places []string
	if mine < len(v.plan.Changes) {
		places = append(places, env.Tilde(v.plan.Project))
	}
	if mine > 0 {
		places = append(places, "your settings")
	}
	return append([]change.Line{{Text: strings.Join(parts, ", ") + ", in " + words.AndList(places)}}, lines...)
}

// setupStays lists what doesn't change.
func setupStays(env *place.Env, v *setupView) []change.Line {
	p := v.plan
	if !v.removes {
		lines := []change.Line{{Text: "every transcript: not read, not written."}}
		if slices.ContainsFunc(p.Changes, func(c setup.Change) bool { return changeAction(&c) == "changed" }) {
			lines[0].Text = "every other byte of these files. No transcript is read or written."
		}
		switch {
		case p.Scope == setup.ScopePlugin:
			lines = append(lines, change.Line{Text: "The hooks of the plugin run here: the plugin is enabled in " + env.Tilde(p.Acts) + "."})
		case p.Scope == setup.ScopeUser && v.asked == "":
			lines = append(lines, change.Line{Text: "The hooks in " + env.Tilde(p.Acts) + " act here."})
		}
		return lines
	}
	var lines []change.Line
	if p.Kept.Backups+p.Kept.Documents > 0 {
		what := []string{out.Count(p.Kept.Backups, "backup")}
		if p.Kept.Pending > 0 {
			what[0] += " (" + words.Count(p.Kept.Pending) + " pending)"
		}
		what = append(what, out.Count(p.Kept.Documents, "document"))
		lines = append(lines, change.Line{Text: words.AndList(what) + " in " + env.Tilde(p.Kept.Path)})
	}
	if v.hooks && p.Project != "" {
		lines = append(lines, change.Line{Text: "everything else of continuo: commands, scripts, CLAUDE.md and the memory"})
	}
	for _, text := range stayLines(env, v) {
		lines = append(lines, change.Line{Mark: change.Note, Text: text})
	}
	switch p.Scope {
	case setup.ScopeUser:
		lines = append(lines, change.Line{Text: "The hooks in " + env.Tilde(p.Acts) + " stay active."})
	case setup.ScopePlugin:
		lines = append(lines, change.Line{Text: "The hooks of the plugin stay active."})
	default:
	}
	return lines
}

// setupHints returns the commands that belong to a plan.
func setupHints(env *place.Env, v *setupView) []string {
	var hints []string
	for _, w := range v.plan.Warnings {
		if run := warningRun(env, &w); run != "" {
			hints = append(hints, run)
		}
	}
	if v.removes {
		hints = append(hints, othersAct(env, v)...)
	}
	return hints
}

// printHints prints each command on its own line.
func printHints(o *out.Stream, hints []string) {
	for _, hint := range hints {
		o.Exact("  " + o.Styles.Paint(render.Faint, "hint") + "  " + out.OneLine(hint) + "\n")
	}
}

// stayLines lists the files that are kept, by reason.
func stayLines(env *place.Env, v *setupView) []string {
	var lines []string
	for rest := v.plan.Stays; len(rest) > 0; {
		why := rest[0].Why
		var names []string
		for len(rest) > 0 && rest[0].Why == why {
			names, rest = append(names, v.name(env, rest[0].Path)), rest[1:]
		}
		lines = append(lines, words.AndList(names)+": "+withTilde(env, why))
	}
	return lines
}

// setupDone says what was done.
func setupDone(env *place.Env, v *setupView) string {
	switch {
	case v.hooks && v.plan.Project != "":
		return "Done. The hooks of continuo are removed from " + env.Tilde(v.project) + "."
	case v.removes && v.plan.Kept.Backups+v.plan.Kept.Documents > 0:
		return "Done. " + out.Count(v.plan.Kept.Backups, "backup") + " and " + out.Count(v.plan.Kept.Documents, "document") + " are still in " + env.Tilde(v.plan.Kept.Path) + "."
	case v.removes && v.asked == setup.ScopeUser:
		return "Done. The hooks of continuo are removed from your settings."
	case v.removes && len(v.plan.Stays) > 0:
		return "Done. Only the files listed above remain of continuo in " + env.Tilde(v.project) + "."
	case v.removes:
		return "Done. continuo is completely removed from " + env.Tilde(v.project) + "."
	}
	return "Done. " + whoActs(env, v) + gateActs(env, v) + snapshotActs(env, v) + taskActs(env, v)
}

// printNext prints the next steps after an installation.
func printNext(o *out.Output, v *setupView) {
	if v.removes || v.plan.Project == "" {
		return
	}
	if v.plan.Scope == setup.ScopeProject || slices.ContainsFunc(v.plan.Extras(), func(path string) bool { return place.Within(path, v.plan.Project) }) {
		o.Out.Print(o.Out.Wrapped("Running claude sessions don't use the hooks: restart them. " +
			"In a terminal claude asks once whether you trust the folder. Until you do, claude runs no hooks."))
	}
	printHints(o.Out, []string{"continuo doctor hooks   shows whether the hooks have run"})
}

// nothingToSet says that nothing needs to change.
func nothingToSet(env *place.Env, v *setupView) string {
	does := whoActs(env, v) + gateActs(env, v) + snapshotActs(env, v) + taskActs(env, v)
	if v.waits(v.plan.Acts) || slices.ContainsFunc(v.plan.Extras(), v.waits) {
		return "Nothing to write. " + does
	}
	return "Nothing to do. " + does
}

// whoActs says which hooks run.
func whoActs(env *place.Env, v *setupView) string {
	switch p := v.plan; {
	case p.Project == "":
		return "The hooks in " + env.Tilde(p.Acts) + " act in every project that has a memory."
	case p.Scope == setup.ScopePlugin:
		return "The hooks of the plugin run in " + env.Tilde(p.Project) + "."
	case v.waits(p.Acts):
		return "The hooks in " + env.Tilde(p.Acts) + " do nothing until continuo is on the PATH."
	case place.Within(p.Acts, p.Project):
		return "The hooks in " + env.Tilde(p.Acts) + " act."
	default:
		return "The hooks in " + env.Tilde(p.Acts) + " act in " + env.Tilde(p.Project) + "."
	}
}

// printWarnings prints problems with the installed hooks.
func printWarnings(env *place.Env, o *out.Output, p *setup.Plan) {
	for _, w := range p.Warnings {
		o.Err.Print(o.Err.Styles.Paint(render.Warn, "△") + " " + o.Err.Wrapped(out.OneLine(withTilde(env, w.Text))))
		if run := warningRun(env, &w); run != "" {
			printHints(o.Err, []string{run})
		}
	}
}

// withTilde replaces the home directory by ~.
func withTilde(env *place.Env, s string) string {
	if env.Home != "" {
		s = strings.ReplaceAll(s, env.Home+string(filepath.Separator), "~"+string(filepath.Separator))
	}
	return s
}
