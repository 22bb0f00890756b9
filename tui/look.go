package tui

import (
	"github.com/charmbracelet/colorprofile"

	"github.com/continuo-tui/continuo/tui/render"
)

// look has the colours of the program and what they depend on.
type look struct {
	chosen  *Options // Theme and NoColor override what the terminal reports
	dark    bool     // the background of the terminal is dark
	profile colorprofile.Profile
	styles  *render.Styles
}

// newLook returns the look for a dark terminal with all colours, until the terminal reports other facts.
func newLook(opts *Options) look {
	l := look{chosen: opts}
	l.restyle(true, colorprofile.TrueColor)
	return l
}

// restyle chooses the palette for the terminal's background and colour profile.
func (l *look) restyle(dark bool, profile colorprofile.Profile) {
	l.dark, l.profile = dark, profile
	theme := render.Dark
	if l.chosen.Theme == "dark" || l.chosen.Theme == "light" {
		dark = l.chosen.Theme == "dark"
	}
	switch {
	case l.chosen.NoColor || profile <= colorprofile.Ascii:
		theme = render.Mono
	case profile == colorprofile.ANSI && dark:
		theme = render.Dark16
	case profile == colorprofile.ANSI:
		theme = render.Light16
	case profile == colorprofile.ANSI256 && dark:
		theme = render.Dark256
	case profile == colorprofile.ANSI256:
		theme = render.Light256
	case !dark:
		theme = render.Light
	}
	if l.styles == nil || l.styles.Theme != theme {
		l.styles = render.NewStyles(theme).Highlighted(l.chosen.Highlight)
	}
}
