package place

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/transcript"
)

// ConfigDirOf returns the Claude config directory of a session, "" if it is in none. For a session named by path, the
// directory follows from the path.
func ConfigDirOf(row *sessions.Row) string {
	if projects := filepath.Dir(filepath.Dir(row.Path)); row.Dir == "" && filepath.Base(projects) == "projects" {
		return filepath.Dir(projects)
	}
	return row.Dir
}

// SearchDirs returns the Claude config directories to search and where they come from: --claude-dir,
// $CLAUDE_CONFIG_DIR, the roots of the config file, or ~/.claude, in that order. The variable takes precedence over
// the file because it is set in this shell and claude obeys it too. The directories may not exist. Without a home the
// result is empty.
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

// ConfigDirs returns the Claude config directories of this run.
func ConfigDirs(env *Env, conf *Config) []string {
	if len(env.Dirs) > 0 {
		return env.Dirs
	}
	dirs, _ := SearchDirs(env, conf)
	return dirs
}

// CatalogOptions returns where to search: --claude-dir, $CLAUDE_CONFIG_DIR, the roots of the config file, or
// ~/.claude, in that order. A named directory that is missing is an error; a missing default gives an empty list.
func CatalogOptions(env *Env) (catalog.Options, error) {
	opts := catalog.Options{
		Cwd: env.Dir, Home: env.Home, Now: env.Now, Zone: env.Now().Location(),
		Seen: func() map[string]bool { return SeenBackups(env) }, Notes: OpenNotes(env).Load,
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
	c, _ := LoadConfig(env) // the caller has reported the error
	if opts.Dirs, _ = SearchDirs(env, c); len(opts.Dirs) == 0 {
		return opts, &out.Failure{What: "HOME is not set, so the sessions cannot be found. Name their directory with --claude-dir PATH."}
	}
	opts.Kept, opts.Also = HooksAct(env, opts.Dirs), KnownProjects(env.KnownPath())
	return opts, nil
}

// SameFile reports whether a path leads to the file. It keeps a linked directory from being listed twice.
func SameFile(path string, info os.FileInfo) bool {
	other, err := os.Stat(path)
	return err == nil && os.SameFile(other, info)
}

// Source is the part of the catalog that commands use.
type Source interface {
	// List returns all rows, newest first. The error joins all read errors.
	List(ctx context.Context, quick bool) ([]sessions.Row, error)
	// Open opens the file of a row.
	Open(ctx context.Context, row sessions.Row) (SourceDoc, error)
}

// SourceDoc is the part of an open file that show uses.
type SourceDoc interface {
	Outline() []transcript.MessageRef
	Threads() []transcript.Thread
	Messages(ctx context.Context, from, to int) ([]transcript.Message, error)
	Counts() transcript.Counts
	Markdown() (string, bool)
	Close() error
}

// opener creates the source of a command.
type opener func(catalog.Options) Source

// OpenCatalog opens the catalog on disk.
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
