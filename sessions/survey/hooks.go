package survey

import (
	"context"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/hook"
	"github.com/continuo-tui/continuo/sessions/hook/setup"
)

// HookPlace has the paths where HooksOf looks for hooks.
type HookPlace struct {
	Place              // if Project is "", the project of Place.Dir has the settings
	Project   string   // project that has the memory; if "", only the hooks of the user run
	ConfigDir string   // Claude config dir that a client uses by default
	Dirs      []string // Claude config dirs that are in use
	Installed string   // record of the installations of continuo; "" if none
	Runs      string   // record of the runs of hooks; "" if none
	PathFix   string   // command that puts this program on the PATH; "" if the program has another name

	// Broken returns why a program can't start, or "". program is a path or a name.
	Broken func(program string) (why string)
}

// HookFacts has the facts about the hooks of a project.
type HookFacts struct {
	At       HookPlace
	Settings setup.Settings
	Others   string                // script of spec 000's hooks from another source; "" if none
	Fired    map[string]hook.Fired // last runs in the project, by event
	Unread   error                 // why the record of the runs could not be read, else nil
	Missed   []time.Time           // for each session that ended without a backup, the time of its last message
}

// HooksOf reads the settings files and the record of the runs. missed becomes HookFacts.Missed.
func HooksOf(ctx context.Context, at HookPlace, missed []time.Time) HookFacts {
	f := HookFacts{At: at, Missed: missed}
	options := setup.Options{Project: at.Project, Home: at.Home, ConfigDir: at.ConfigDir, Records: at.Installed}
	if options.Project == "" && at.Dir != "" {
		options.Project = setup.ProjectRoot(at.Dir, at.Home)
	}
	if at.Home != "" && sessions.RealPath(options.Project) == sessions.RealPath(at.Home) { // ~/.claude has the user's settings, not those of a project
		options.Project = ""
	}
	if len(at.Dirs) > 0 && !slices.Contains(at.Dirs, options.ConfigDir) {
		options.ConfigDir = at.Dirs[0]
	}
	f.Settings = options.Look()
	f.Others = setup.OtherScript(options.Project)
	if at.Runs != "" {
		var runs []hook.Run
		runs, _, f.Unread = hook.OpenRuns(at.Runs).Read(ctx)
		f.Fired = hook.Summarize(runs, at.Project)
	}
	return f
}
