package host

// Trouble is the kind of a tmux failure.
type Trouble int

// Kinds of tmux failures.
const (
	TmuxMissing  Trouble = iota // tmux isn't on the PATH
	TmuxOutside                 // this run isn't inside tmux
	TmuxSilent                  // the server doesn't answer
	PaneGone                    // the pane doesn't exist any more
	paneNotShown                // tmux didn't switch to the pane
	notCopied                   // tmux didn't accept the text
	NotOpened                   // the window, split or popup didn't open
	NoSuchPlace                 // not a window, split or popup
	NoEnv                       // env(1) isn't on the PATH
	OddProgram                  // the program's path contains =, which env(1) would parse as a variable
)

// TmuxError is a failure of tmux.
type TmuxError struct {
	Trouble Trouble
	Where   string // "window", "split" or "popup", for NotOpened
	Err     error  // tmux's or the system's message, nil if there is none
}

// Error implements error.
func (e *TmuxError) Error() string {
	text := [...]string{
		"tmux is not on the PATH", "this is not inside tmux", "tmux does not answer", "the pane is gone", "tmux did not show the pane",
		"tmux did not copy", "tmux opened nothing", "no place for a program", "env is not on the PATH", "the path has a = in it",
	}[e.Trouble]
	if e.Err == nil {
		return text
	}
	return text + ": " + e.Err.Error()
}

// Unwrap returns the underlying error.
func (e *TmuxError) Unwrap() error { return e.Err }
