package ledger

// Status is what became of the place that an identifier names.
type Status string

// The statuses.
const (
	Holds      Status = "holds"      // the file is there, the line is in range, and the quote is at it where there is one
	Moved      Status = "moved"      // the quote is at another line: Check.At
	NoQuote    Status = "no-quote"   // the file no longer has the quote
	NoLine     Status = "no-line"    // the file has fewer lines: Check.Lines
	NoFile     Status = "no-file"    // it is gone; Check.To when one of its name has the quote
	Outside    Status = "outside"    // it leads out of the project, and was not looked at
	Unreadable Status = "unreadable" // Check.Problem says why
)

// Check is what was found at an identifier.
type Check struct {
	Status  Status
	Quoted  bool   // there was a quote to look for
	At      int    // of Moved: the line where the quote is now
	To      string // of NoFile: where it may be now, below the root; "" not known
	Lines   int    // of NoLine: how many the file has
	Problem string
}

// Bad reports whether an identifier does not lead where it says.
func (c Check) Bad() bool { return c.Status != Holds }
