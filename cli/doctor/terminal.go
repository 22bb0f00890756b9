package doctor

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
)

// terminal returns the checks of the terminal.
func (x *Exam) terminal() []Check {
	c := Check{Name: "terminal", State: VerdictOK, Note: transcript.CleanLine(x.Env.Host.Getenv("TERM"))}
	if !x.O.Out.Terminal {
		c.State, c.Text = VerdictNote, "the output is not a terminal"
		if c.Note == "dumb" {
			c.Text = "TERM is dumb: no browser, only lines"
		}
		return []Check{c}
	}
	var facts []string
	switch profile := colorprofile.Env(x.Env.Host.Environ); {
	case x.Env.Host.Getenv("NO_COLOR") != "":
		facts = append(facts, "no colour because of NO_COLOR")
	case profile == colorprofile.TrueColor:
		facts = append(facts, "24-bit colour")
	// The terminal around tmux may have more colours.
	case profile == colorprofile.ANSI256 && x.Env.Host.Getenv("TMUX") != "":
		facts = append(facts, "256 colours or more")
	case profile == colorprofile.ANSI256:
		facts = append(facts, "256 colours")
	case profile == colorprofile.ANSI:
		facts = append(facts, "16 colours")
	default:
		facts = append(facts, "no colour")
	}
	if f, ok := x.O.Out.W.(*os.File); ok {
		if width, height, err := term.GetSize(f.Fd()); err == nil {
			facts = append(facts, fmt.Sprintf("%d x %d", width, height))
		}
	}
	if x.O.Out.ASCII {
		facts = append(facts, "ASCII glyphs")
	} else {
		facts = append(facts, "UTF-8")
	}
	chosen := x.Env.Host.Getenv("CONTINUO_GLYPHS") != "" || x.Conf.Glyphs != place.Auto
	if x.O.Out.ASCII && !chosen && out.ASCIIGlyphs(x.Env.Host.Getenv) {
		c.State = VerdictWarning
		facts[len(facts)-1] += ", because the locale is not UTF-8"
		c.Fix = "export LC_ALL=C.UTF-8"
		if runtime.GOOS == "darwin" {
			c.Fix = "export LC_ALL=en_US.UTF-8"
		}
	}
	c.Text = strings.Join(facts, ", ")
	return []Check{c}
}

// Tmux checks the tmux of this program, and whether the clipboard can be used.
func (x *Exam) Tmux(ctx context.Context) []Check {
	c, clip := Check{Name: "tmux", State: VerdictNote}, Check{Name: "tmux clipboard", State: VerdictWarning}
	if x.Env.Host.Getenv("TMUX") == "" {
		c.Text = "not inside tmux"
		return []Check{c, {
			Name: "clipboard", State: VerdictNote, Text: "y copies through the terminal (OSC 52)", Note: "unknown whether the terminal allows this",
		}}
	}
	program, err := x.Env.Host.LookPath("tmux")
	if err != nil {
		c.State, c.Text = VerdictWarning, "this is in tmux, but tmux is not on the PATH: no window, split or popup"
		return []Check{c}
	}
	ctx, cancel := context.WithTimeout(ctx, x.Limit)
	defer cancel()
	m := &host.Tmux{Inside: true, Program: program, Environ: x.Env.Host.Environ}
	printed, err := m.ServerVersion(ctx)
	if err != nil {
		c.State, c.Text = VerdictWarning, "tmux does not answer: "+err.Error()
		c.See = []string{"tmux ls"}
		return []Check{c}
	}
	version := host.ParseVersion(strings.TrimSpace(printed))
	c.State, c.Text = VerdictOK, words.Cut(transcript.CleanLine(printed), place.ValueLimit)+": window, split and popup"
	if !version.AtLeast(3, 2) {
		c.State, c.Text = VerdictNote, c.Text[:len(c.Text)-len(" and popup")]+", but no popup"
		c.Note = "a popup needs 3.2"
	}
	set, err := m.SetClipboard(ctx)
	clip.judge(set, version, err)
	return []Check{c, clip}
}

// judge sets the check of the tmux option set-clipboard, which the key y needs. y uses load-buffer -w or, before
// tmux 3.2, OSC 52.
func (c *Check) judge(set string, version host.Version, err error) {
	direct := version.AtLeast(3, 2)
	switch {
	case err != nil:
		c.Text, c.See = "tmux does not report set-clipboard: "+err.Error(), []string{"tmux show -s set-clipboard"}
		return
	case set == "on":
		c.State, c.Text = VerdictOK, "set-clipboard is on"
	case set == "external" && direct:
		c.State, c.Text = VerdictOK, "set-clipboard is external: y works, other programs in tmux cannot copy"
	default:
		c.Text = "set-clipboard is " + out.Quoted(words.Cut(transcript.CleanLine(set), place.ValueLimit)) + ", so y stays inside tmux"
		c.Fix = "tmux set -s set-clipboard on"
		return
	}
	c.Note = "the terminal must allow it too"
}
