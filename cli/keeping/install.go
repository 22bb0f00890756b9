package keeping

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions"
)

// service is a file that makes the system start the keeper at login.
type service struct {
	dir, name string
	text      string
	enable    string // enables and starts the service
}

// serviceOf returns the service for an operating system.
func serviceOf(env *place.Env, system, program string) (service, error) {
	switch {
	case env.Home == "":
		return service{}, &out.Failure{What: "HOME is not set, so there is no folder for the service."}
	case system == "linux":
		dir := env.Host.Getenv("XDG_CONFIG_HOME")
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(env.Home, ".config")
		}
		return service{
			dir: filepath.Join(dir, "systemd", "user"), name: "continuo-keeper.service", text: unit(program, environment(env)),
			enable: "systemctl --user enable --now continuo-keeper",
		}, nil
	case system == "darwin":
		s := service{dir: filepath.Join(env.Home, "Library", "LaunchAgents"), name: "continuo.keeper.plist", text: agent(program, environment(env))}
		s.enable = "launchctl bootstrap gui/$UID " + place.ShellWord(filepath.Join(s.dir, s.name))
		return s, nil
	}
	return service{}, &out.Failure{What: "There is no service for this system. Run continuo keeper start when you log in."}
}

// environment returns the variables that the keeper needs. A service doesn't inherit a shell's variables.
func environment(env *place.Env) (list [][2]string) {
	for _, name := range []string{"PATH", "CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		if value := env.Host.Getenv(name); value != "" {
			list = append(list, [2]string{name, value})
		}
	}
	return list
}

// unit returns a systemd user unit. It logs no output, because the output has the token. With KillMode=mixed,
// SIGTERM goes only to the keeper, which ends its clients.
func unit(program string, environ [][2]string) string {
	var b strings.Builder
	b.WriteString("[Unit]\nDescription=continuo keeper, which runs Claude Code sessions\n\n[Service]\n")
	b.WriteString("ExecStart=" + systemdWord(program) + " keeper start\n")
	for _, v := range environ {
		b.WriteString("Environment=" + systemdWord(v[0]+"="+v[1]) + "\n")
	}
	b.WriteString("StandardOutput=null\nKillMode=mixed\nSuccessExitStatus=130 143\nRestart=on-failure\n\n[Install]\nWantedBy=default.target\n")
	return b.String()
}

// systemdWord quotes a word of a unit file (systemd.syntax(7)).
func systemdWord(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "\n", `\n`).Replace(s) + `"`
}

// agent returns a launchd agent.
func agent(program string, environ [][2]string) string {
	var b strings.Builder
	text := func(s string) string {
		var escaped bytes.Buffer
		_ = xml.EscapeText(&escaped, []byte(s)) // a buffer never fails
		return "<string>" + escaped.String() + "</string>"
	}
	b.WriteString(xml.Header + `<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">` + "\n")
	b.WriteString("<plist version=\"1.0\">\n<dict>\n\t<key>Label</key>" + text("continuo.keeper") + "\n\t<key>ProgramArguments</key>\n")
	b.WriteString("\t<array>" + text(program) + text("keeper") + text("start") + "</array>\n\t<key>EnvironmentVariables</key>\n\t<dict>\n")
	for _, v := range environ {
		b.WriteString("\t\t<key>" + v[0] + "</key>" + text(v[1]) + "\n")
	}
	b.WriteString("\t</dict>\n\t<key>RunAtLoad</key><true/>\n</dict>\n</plist>\n")
	return b.String()
}

// plan returns the change that writes the service. An installed service needs no ops.
func (s *service) plan(context.Context) (change.Change, error) {
	c := change.Change{Kind: "keeper", What: "Installed the service of the keeper"}
	old, err := sessions.ReadSmall(filepath.Join(s.dir, s.name), 1<<20)
	op := change.Op{Verb: change.Make, Dir: s.dir, Name: s.name, Text: []byte(s.text), Mode: 0o600, DirMode: 0o755}
	for { // finds the closest existing directory
		if _, err := os.Stat(op.Dir); err == nil || op.Dir == filepath.Dir(op.Dir) {
			break
		}
		op.Dir, op.Name = filepath.Dir(op.Dir), filepath.Join(filepath.Base(op.Dir), op.Name)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return c, err
	case string(old) == s.text:
		return c, nil
	default:
		op.Verb, op.Before = change.Replace, old
	}
	c.Ops = []change.Op{op}
	return c, nil
}

// installService shows the service, and writes it after the user confirms.
func installService(cmd *cobra.Command, env *place.Env, o *out.Output, flags writing.Flags) error {
	ctx := cmd.Context()
	program, err := os.Executable()
	if err != nil {
		return err
	}
	s, err := serviceOf(env, runtime.GOOS, program)
	if err != nil {
		return err
	}
	flags.FinishInterrupted(ctx, env)
	path := filepath.Join(s.dir, s.name)
	failed := func(err error) error {
		return &out.Failure{What: env.Tilde(path) + " can't be written: " + out.Reason(err) + ".", Cause: err}
	}
	c, err := s.plan(ctx)
	if err != nil {
		return failed(err)
	}
	if len(c.Ops) == 0 {
		return &out.Failure{Code: out.ExitNo, What: "The service is already installed: " + env.Tilde(path) + ".", Hints: []string{s.enable}, Plain: true}
	}
	p := &writing.Plan{Line: writing.CommandLine(cmd, nil), Report: writing.Report{Action: "keeper start --install", Made: []string{path}}}
	p.Add("Touched", change.Line{Text: env.Tilde(path), Whole: true})
	var lines []change.Line
	for line := range strings.Lines(s.text) {
		lines = append(lines, change.Line{Tone: change.Code, Text: strings.TrimSuffix(line, "\n")})
	}
	p.Add("Text", lines...)
	p.Add("Undo", change.Line{Text: "continuo undo removes the file, or restores the previous one."})
	return writing.Proceed(ctx, o, flags, p, func(ctx context.Context) ([]string, error) {
		done, err := writing.Store(env).Do(ctx, &c, s.plan)
		if err != nil {
			return nil, writing.Failure(env, err, env.Tilde(path), failed)
		}
		return []string{"Written. To enable and start it: " + s.enable, writing.LostBy(&done)}, nil
	})
}
