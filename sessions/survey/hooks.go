package survey

import (
	"context"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/hook"
	"github.com/continuo-tui/continuo/sessions/hook/setup"
)

// HookPlace holds the paths where HooksOf looks for hooks.
type HookPlace struct {
	Place              // Dir: the folder whose project has the settings if Project is ""
	Project   string   // project that has the memory; "": none, so only the hooks of the user run
	ConfigDir string   // Claude config dir that a client without settings uses
	Dirs      []string // Claude config dirs that are in use
	Installed string   // file that records the installations of continuo; "": none
	Runs      string   // file that records the runs of hooks; "": none
	PathFix   string   // command that puts this program on the PATH; "": it has another name

	// Broken returns the reason why a program, given by path or name, can't be started; "" if it can.
	Broken func(program string) (why string)
}

// HookFacts holds the facts about the hooks of a project.
type HookFacts struct {
	At       HookPlace
	Settings setup.Settings
	Others   string                // script of other hooks of spec 000; "": none
	Fired    map[string]hook.Fired // runs in the project, by event
	Unread   error                 // the reason if the record of the runs could not be read
	Missed   []time.Time           // times of the last messages of sessions that ended without a backup
}

// HooksOf reads the settings files and the record of the runs. missed becomes HookFacts.Missed.
func HooksOf(ctx context.Context, at HookPlace, missed []time.Time) HookFacts {
	f := HookFacts{At: at, Missed: missed}
	options := setup.Options{Project: at.Project, Home: at.Home, ConfigDir: at.ConfigDir, Records: at.Installed}
	if options.Project == "" && at.Dir != "" {
		options.Project = setup.ProjectRoot(at.Dir, at.Home)
	}
	if at.Home != "" && sessions.RealPath(options.Project) == sessions.RealPath(at.Home) { // its .claude is that of the user
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
