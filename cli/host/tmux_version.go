package host

import (
	"context"
	"fmt"
	"strings"
)

// Version is major and minor of a version of tmux. The letter behind stands for mended releases.
type Version struct{ Major, Minor int }

// ParseVersion reads "3.3a" and "next-3.4". What has no number, as master, is newer than any; so are the ones of
// OpenBSD, which count with the system (7.4): every one of today has what is asked for here. "" is before 2.4.
func ParseVersion(s string) Version {
	if s == "" {
		return Version{}
	}
	var v Version
	if n, _ := fmt.Sscanf(strings.TrimPrefix(s, "next-"), "%d.%d", &v.Major, &v.Minor); n < 2 {
		return Version{Major: 99}
	}
	return v
}

// AtLeast reports whether it is this version or a later one.
func (v Version) AtLeast(major, minor int) bool {
	return v.Major > major || v.Major == major && v.Minor >= minor
}

// Version is the version of the server of this run, else that of the program.
func (m *Tmux) Version(ctx context.Context) (v Version, known bool) {
	if m.Program == "" {
		return v, false
	}
	if m.Inside {
		if l, err := m.look(ctx); err == nil {
			return l.version, true
		}
	}
	ctx, cancel := context.WithTimeout(ctx, tmuxLookLimit)
	defer cancel()
	text, err := m.run(ctx, nil, "-V") // "tmux 3.3a"
	_, name, ok := strings.Cut(strings.TrimSpace(text), " ")
	return ParseVersion(name), err == nil && ok
}
