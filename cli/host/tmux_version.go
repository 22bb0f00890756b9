package host

import (
	"context"
	"fmt"
	"strings"
)

// Version is the version of tmux, without the letter: 3.3 for "3.3a".
type Version struct{ Major, Minor int }

// ParseVersion parses "3.3a", "next-3.4" and the like. Without a number, such as "master", it returns the newest
// version. On OpenBSD, tmux has the system's version, which is new enough. "" means older than 2.4.
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

// AtLeast reports whether v is the given version or later.
func (v Version) AtLeast(major, minor int) bool {
	return v.Major > major || v.Major == major && v.Minor >= minor
}

// Version returns the version of the server, or else of the program.
func (m *Tmux) Version(ctx context.Context) (v Version, known bool) {
	if m.Program == "" {
		return v, false
	}
	if m.Inside {
		if l, err := m.state(ctx); err == nil {
			return l.version, true
		}
	}
	ctx, cancel := context.WithTimeout(ctx, tmuxStateLimit)
	defer cancel()
	text, err := m.run(ctx, nil, "-V") // such as "tmux 3.3a"
	_, name, ok := strings.Cut(strings.TrimSpace(text), " ")
	return ParseVersion(name), err == nil && ok
}
