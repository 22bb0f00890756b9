package cli

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
)

// build is what this binary was made from.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision"`
	Time     string `json:"time"`
	Modified bool   `json:"modified"` // of the source tree
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// newBuild reads what the linker left; version, when set, is that of a release.
func newBuild(version string) build {
	b := build{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if ok {
		if b.Version == "" && info.Main.Version != "(devel)" {
			b.Version = info.Main.Version
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Revision = s.Value
			case "vcs.time":
				b.Time = s.Value
			case "vcs.modified":
				b.Modified = s.Value == "true"
			}
		}
	}
	if b.Version == "" {
		b.Version = "devel"
	}
	return b
}

// versionLine is what version prints: "continuo 1.2.3 (0f3c2a91, go1.26.8, linux/amd64)".
func versionLine(env *Env) string {
	b := newBuild(env.version)
	facts := b.Go + ", " + b.Platform
	if b.Revision != "" {
		revision := b.Revision[:min(len(b.Revision), 8)]
		if b.Modified {
			revision += " with changes"
		}
		facts = revision + ", " + facts
	}
	return "continuo " + b.Version + " (" + facts + ")"
}

func newVersionCmd(env *Env, o *out.Output) *cobra.Command {
	return &cobra.Command{
		Use:  "version",
		Long: helpVersion,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			if !o.JSON {
				o.Out.Print(versionLine(env) + "\n")
				return nil
			}
			return o.PrintJSON(newBuild(env.version))
		},
	}
}
