package place

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/transcript"
)

// ConfigDirOf returns the Claude config directory of a session; "" if there is none. It may find the directory in the
// path.
func ConfigDirOf(row *sessions.Row) string {
	if projects := filepath.Dir(filepath.Dir(row.Path)); row.Dir == "" && filepath.Base(projects) == "projects" {
		return filepath.Dir(projects)
	}
	return row.Dir
}

// SearchDirs returns the Claude config directories to search, which may be missing. They come from the first source
// that is set: --claude-dir, $CLAUDE_CONFIG_DIR, roots of the config file, or ~/.claude. from names the source.
// Without a home, the result may be empty.
func SearchDirs(env *Env, c *Config) (dirs []string, from string) {
	switch {
	case len(env.ClaudeDirs) > 0:
		for _, dir := range env.ClaudeDirs {
			dirs = append(dirs, env.Abs(dir))
		}
		return dirs, "--claude-dir"
	case env.Host.Getenv("CLAUDE_CONFIG_DIR") != "":
		return []string{env.Abs(env.Host.Getenv("CLAUDE_CONFIG_DIR"))}, "$CLAUDE_CONFIG_DIR"
	case len(c.Roots) > 0:
		return c.Roots, KeyRoots
	case env.Home != "":
		return []string{filepath.Join(env.Home, ".claude")}, ""
	}
	return nil, ""
}

// AllowedRoots returns the folders whose sessions the keeper shows. They come from the first source that is set:
// $ALLOWED_ROOTS (separated by commas), keeper.roots of the config file, or the home. from names the source.
func AllowedRoots(env *Env, c *Config) (dirs []string, from string) {
	const name = "ALLOWED_ROOTS"
	for dir := range strings.SplitSeq(env.Host.Getenv(name), ",") {
		if dir = strings.TrimSpace(dir); dir != "" {
			dirs = append(dirs, env.TypedPath(dir))
		}
	}
	switch {
	case len(dirs) > 0:
		return dirs, "$" + name
	case len(c.KeeperRoots) > 0:
		return c.KeeperRoots, KeyAllowed
	case env.Home != "":
		return []string{env.Home}, ""
	}
	return nil, ""
}

// ConfigDirs returns the Claude config directories of this run.
func ConfigDirs(env *Env, conf *Config) []string {
	if len(env.Dirs) > 0 {
		return env.Dirs
	}
	dirs, _ := SearchDirs(env, conf)
	return dirs
}

// CatalogOptions returns the directories of SearchDirs. A missing directory is an error only if the user has named it.
func CatalogOptions(env *Env) (catalog.Options, error) {
	opts := catalog.Options{
		Cwd: env.Dir, Home: env.Home, Now: env.Now, Zone: env.Now().Location(),
		Seen: func() map[string]bool { return SeenBackups(env) }, Notes: OpenNotes(env).Load,
		Divergence: func(ctx context.Context, dir, commit string) (ahead, behind int, ok bool) {
			return Divergence(ctx, env, dir, commit)
		},
	}
	if env.Index != nil {
		opts.Cache = env.Index
	}
	for _, dir := range env.ClaudeDirs {
		if dir == "" {
			return opts, out.Usage("--claude-dir is empty. Is a variable unset?")
		}
		abs := env.Abs(dir)
		info, err := os.Stat(abs)
		if err == nil && !info.IsDir() {
			return opts, &out.Failure{
				What:  "The Claude config directory " + env.Tilde(abs) + " is a file. Name the directory that holds projects/.",
				Cause: err,
			}
		}
		if err != nil {
			return opts, &out.Failure{
				What:  "The Claude config directory " + env.Tilde(abs) + " cannot be read: " + out.Reason(err) + ". Name the one that holds projects/.",
				Cause: err,
			}
		}
		if !slices.ContainsFunc(opts.Dirs, func(have string) bool { return SameFile(have, info) }) {
			opts.Dirs = append(opts.Dirs, abs)
		}
	}
	if len(opts.Dirs) > 0 {
		env.Dirs = opts.Dirs
		opts.Kept = HooksAct(env, opts.Dirs)
		return opts, nil
	}
	c, _ := LoadConfig(env) // the caller reports the error
	if opts.Dirs, _ = SearchDirs(env, c); len(opts.Dirs) == 0 {
		return opts, &out.Failure{What: "HOME is not set, so the sessions cannot be found. Name their directory with --claude-dir PATH."}
	}
	opts.Kept, opts.Also = HooksAct(env, opts.Dirs), KnownProjects(env.KnownPath())
	return opts, nil
}

// SameFile reports whether a path leads to a file, also through links.
func SameFile(path string, info os.FileInfo) bool {
	other, err := os.Stat(path)
	return err == nil && os.SameFile(other, info)
}

// Source has the methods of the catalog that commands use.
type Source interface {
	// List returns all rows, newest first. The error joins all errors of reading.
	List(ctx context.Context, quick bool) ([]sessions.Row, error)
	// Open opens the file of a row.
	Open(ctx context.Context, row sessions.Row) (SourceDoc, error)
}

// SourceDoc has the methods of an open file that the command show uses.
type SourceDoc interface {
	Outline() []transcript.MessageRef
	Threads() []transcript.Thread
	Messages(ctx context.Context, from, to int) ([]transcript.Message, error)
	Counts() transcript.Counts
	Markdown() (string, bool)
	Close() error
}

// opener creates a Source.
type opener func(catalog.Options) Source

// OpenCatalog opens the catalog of the files on disk.
func OpenCatalog(opts catalog.Options) Source { return CatalogSource{catalog.New(opts)} }

// CatalogSource adapts a catalog to Source.
type CatalogSource struct{ *catalog.Catalog }

// Open implements Source.
func (c CatalogSource) Open(ctx context.Context, row sessions.Row) (SourceDoc, error) {
	doc, err := c.Catalog.Open(ctx, row)
	if err != nil {
		return nil, err
	}
	return doc, nil
}
