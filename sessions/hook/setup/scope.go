package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tailscale/hujson"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/hook"
)

// Scope is a settings file for hooks.
type Scope string

// The scopes. A hook in two scopes runs twice.
const (
	ScopeProject Scope = "project" // .claude/settings.json of the project, which calls scripts in .claude/hooks
	ScopeUser    Scope = "user"    // settings.json in the config directory of Claude Code
	ScopePlugin  Scope = "plugin"  // a plugin, which Claude Code installs
)

// pluginName is the name of the plugin, before the @ of its marketplace (docs/plugin).
const pluginName = "continuo"

// Options are the options of Look, PlanInstall and PlanUninstall. Directories are absolute.
type Options struct {
	Project   string // root of the project (see ProjectRoot); "" if none
	ConfigDir string // config directory of Claude Code: $CLAUDE_CONFIG_DIR or ~/.claude
	Home      string // "" if unknown
	Records   string // directory of the installation records, $XDG_STATE_HOME/continuo/installed
	Program   string // path of continuo for the commands of ScopeUser
	OnPath    bool   // continuo is on the PATH, as scripts of a project require
	Scope     Scope  // requested scope; "" for the scope of existing hooks, otherwise ScopeProject
	Gate      bool   // install the gate hooks; false keeps existing ones
	Snapshot  bool   // install the snapshot hook and its commands; false keeps existing ones
	Tasks     bool   // install the task hooks, their commands and section; false keeps existing ones
	Replace   bool   // replace files with another text
	Purge     bool   // uninstall: also delete the memory, except backups and documents
	Hooks     bool   // uninstall: remove only the settings entries and the scripts
}

// Site is a settings file with hooks of continuo.
type Site struct {
	Scope   Scope
	Path    string
	Entries []Entry // empty for the plugin
	// Missing lists the missing hooks: elements of hook.Events for backup hooks, otherwise events of Claude Code.
	Missing []string
	// Since is the time of the installation from the record, otherwise the modification time of the file.
	Since time.Time
}

// Settings lists the hooks in the settings files: the user's, and the project's shared and local one.
type Settings struct {
	Sites    []Site   // files with backup hooks, sorted by Scope
	Gates    []Site   // files with gate hooks
	Snapshot []Site   // files with a snapshot hook
	Tasks    []Site   // files with task hooks
	Disabled []string // files with disableAllHooks
	// NotLoaded are files with comments or trailing commas, which Claude Code (2.1.330) ignores.
	NotLoaded []string
	Problems  []error // errors of files that can't be read, with their paths
}

// of returns the sites of a scope.
func (s Settings) of(scope Scope) []Site { return ofScope(s.Sites, scope) }

func ofScope(sites []Site, scope Scope) []Site {
	return slices.DeleteFunc(slices.Clone(sites), func(site Site) bool { return site.Scope != scope })
}

// Runs reports whether a backup hook runs at an event. The plugin has all hooks.
func (s Settings) Runs(event string) bool {
	return slices.ContainsFunc(s.Sites, func(site Site) bool { return !slices.Contains(site.Missing, event) })
}

// ProjectRoot returns the project for an installation in dir: the nearest directory with a .claude/memory or a .git,
// otherwise dir. It skips the home directory and its parents.
func ProjectRoot(dir, home string) string {
	for at := dir; !sessions.SameFile(at, home) && at != filepath.Dir(at); at = filepath.Dir(at) {
		if sessions.MayExist(filepath.Join(at, ".claude", "memory"), os.Stat) || sessions.MayExist(filepath.Join(at, ".git"), os.Lstat) {
			return at
		}
	}
	return dir
}

// settingsPath returns the settings.json of a scope, or "" for the plugin.
func (s Options) settingsPath(scope Scope) string {
	switch {
	case scope == ScopeUser && s.ConfigDir != "":
		return filepath.Join(s.ConfigDir, "settings.json")
	case scope == ScopeProject && s.Project != "":
		return filepath.Join(s.Project, ".claude", "settings.json")
	}
	return ""
}

// Look reads the settings files.
func (s Options) Look() Settings {
	var all Settings
	plugins := map[string]Site{} // name@marketplace → file that enables the plugin
	for _, f := range []struct {
		scope Scope
		path  string
	}{
		{ScopeUser, s.settingsPath(ScopeUser)},
		{ScopeProject, s.settingsPath(ScopeProject)},
		{ScopeProject, strings.Replace(s.settingsPath(ScopeProject), "settings.json", "settings.local.json", 1)},
	} {
		if f.path == "" {
			continue
		}
		text, info, err := readWhole(f.path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && isBlank(text) {
			continue
		}
		var file *settings
		if err == nil {
			file, err = parseSettings(text)
		}
		if err != nil {
			all.Problems = append(all.Problems, fmt.Errorf("settings %s: %w", f.path, err))
			continue
		}
		all.add(file, f.scope, f.path, s.shims(nil))
		for _, sites := range [][]Site{all.Sites, all.Gates, all.Snapshot, all.Tasks} {
			if n := len(sites) - 1; n >= 0 && sites[n].Path == f.path {
				sites[n].Since = s.installed(f.scope, f.path, info.ModTime())
			}
		}
		for key, on := range enabledPlugins(file) {
			if delete(plugins, key); on {
				plugins[key] = Site{Scope: ScopePlugin, Path: f.path, Since: info.ModTime()}
			}
		}
	}
	for _, site := range plugins {
		all.Sites = append(all.Sites, site)
	}
	for _, sites := range [][]Site{all.Sites, all.Gates, all.Snapshot, all.Tasks} {
		slices.SortStableFunc(sites, func(a, b Site) int { return order(a.Scope) - order(b.Scope) })
	}
	return all
}

// installed returns the installation time of the hooks in a file. written is the time of the file.
func (s Options) installed(scope Scope, path string, written time.Time) time.Time {
	about := path
	if scope == ScopeProject {
		about = s.Project
	}
	if s.Records == "" {
		return written
	}
	if n, err := s.readNote(scope, about); err == nil && n.of(path) != nil {
		return n.Made
	}
	return written
}

func order(scope Scope) int {
	return slices.Index([]Scope{ScopeProject, ScopeUser, ScopePlugin}, scope)
}

// add adds the hooks of one file.
func (all *Settings) add(file *settings, scope Scope, path string, ours *shims) {
	if isTrue(&file.root, "disableAllHooks") {
		all.Disabled = append(all.Disabled, path)
	}
	if !file.strict() {
		all.NotLoaded = append(all.NotLoaded, path)
	}
	if scope == ScopeUser {
		ours = nil
	}
	var keep, gate, snapshot, tasks []Entry
	found, _ := file.entries(ours)
	for _, e := range found {
		switch e.Runs {
		case hook.EventGate:
			gate = append(gate, e)
		case hook.EventSnapshot:
			snapshot = append(snapshot, e)
		case hook.EventTask:
			tasks = append(tasks, e)
		default:
			keep = append(keep, e)
		}
	}
	if len(keep) > 0 {
		missing := slices.DeleteFunc(hook.Events(), func(event string) bool {
			return slices.ContainsFunc(keep, func(e Entry) bool { return e.Runs == event })
		})
		all.Sites = append(all.Sites, Site{Scope: scope, Path: path, Entries: keep, Missing: missing})
	}
	for _, extra := range []struct {
		sites   *[]Site
		entries []Entry
		want    []wanted
	}{{&all.Gates, gate, gateEvents()}, {&all.Snapshot, snapshot, snapshotEvents()}, {&all.Tasks, tasks, taskEvents()}} {
		if len(extra.entries) == 0 {
			continue
		}
		var missing []string
		for _, w := range extra.want {
			if !slices.ContainsFunc(extra.entries, func(e Entry) bool { return e.Event == w.event }) {
				missing = append(missing, w.event)
			}
		}
		*extra.sites = append(*extra.sites, Site{Scope: scope, Path: path, Entries: extra.entries, Missing: missing})
	}
}

// enabledPlugins returns the continuo plugins in a settings file, with true if the file enables them.
func enabledPlugins(file *settings) map[string]bool {
	found := map[string]bool{}
	list := member(&file.root, "enabledPlugins")
	if list == nil {
		return found
	}
	if obj, ok := list.Value.(*hujson.Object); ok {
		for i := range obj.Members {
			key := keyOf(&obj.Members[i])
			if name, _, _ := strings.Cut(key, "@"); name == pluginName {
				found[key] = obj.Members[i].Value.Value.Kind() == 't'
			}
		}
	}
	return found
}

// shims returns the shims of the project. The text of a script in planned counts, otherwise that of the file. A
// missing script is continuo's, because nobody else writes a command for it.
func (s Options) shims(planned []Change) *shims {
	if s.Project == "" {
		return nil
	}
	return &shims{project: s.Project, ours: func(name string) bool {
		path := filepath.Join(s.Project, ".claude", filepath.FromSlash(name))
		for i := range planned {
			if planned[i].Path == path && !planned[i].Gone {
				return isShim(planned[i].After)
			}
		}
		text, _, err := readWhole(path)
		return errors.Is(err, fs.ErrNotExist) || err == nil && isShim(text)
	}}
}

// isShim reports whether a script calls continuo. The user may have edited other lines.
func isShim(script []byte) bool { return strings.Contains(string(script), "exec continuo hook ") }

func isBlank(text []byte) bool {
	return strings.Trim(strings.TrimPrefix(string(text), byteOrderMark), blanks) == ""
}
