package host

// Trouble is a kind of tmux failure.
type Trouble int

// The kinds of tmux failures.
const (
	TmuxMissing  Trouble = iota // not on the PATH
	TmuxOutside                 // not inside tmux
	TmuxSilent                  // the server doesn't answer
	PaneGone                    // the pane is closed
	paneNotShown                // tmux hasn't switched to it
	notCopied                   // tmux hasn't accepted the text
	NotOpened                   // the window, split or popup hasn't opened
	NoSuchPlace                 // the argument where isn't window, split or popup
	NoEnv                       // env(1) isn't on the PATH
	OddProgram                  // the program's path contains =
)

// TmuxError is a failure of tmux.
type TmuxError struct {
	Trouble Trouble
	Where   string // for NotOpened: "window", "split" or "popup"
	Err     error  // from tmux or the system; may be nil
}

// Error implements error.
func (e *TmuxError) Error() string {
	text := [...]string{
		"tmux is not on the PATH", "this is not inside tmux", "tmux does not answer", "the pane is gone", "tmux did not show the pane",
		"tmux did not copy", "tmux opened nothing", "not a window, split or popup", "env is not on the PATH", "the path contains an equals sign",
	}[e.Trouble]
	if e.Err == nil {
		return text
	}
	return text + ": " + e.Err.Error()
}

// Unwrap returns the error that caused this one.
func (e *TmuxError) Unwrap() error { return e.Err }
