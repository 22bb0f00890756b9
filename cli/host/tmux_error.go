package host

// Trouble is what tmux did not do.
type Trouble int

// What can go wrong with tmux.
const (
	TmuxMissing  Trouble = iota // it is not on the PATH
	TmuxOutside                 // this run is not inside tmux
	TmuxSilent                  // its server does not answer
	PaneGone                    // there is no such pane any more
	paneNotShown                // it did not go to a pane
	notCopied                   // it did not take a text
	NotOpened                   // a place did not open
	NoSuchPlace                 // a program starts in a window, a split or a popup, and nowhere else
	NoEnv                       // env(1) is not on the PATH
	OddProgram                  // the path of the program has a =, which env(1) would set
)

// TmuxError is what tmux did not do, and why.
type TmuxError struct {
	Trouble Trouble
	Where   string // of NotOpened: what was to be opened in the end
	Err     error  // what tmux or the system says, nil when there is nothing more to say
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

// Unwrap returns the error below.
func (e *TmuxError) Unwrap() error { return e.Err }
