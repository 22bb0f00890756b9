package ledger

// Ref is a path identifier (spec 002, Path Requirements): a place in the code, kept instead of its content.
type Ref struct {
	Path     string // below the root, with slashes; of FormHard and FormHome as it is written
	From, To int    // lines from 1; 0 none is named; To is From for a single line
	Form     Form
	Raw      string // as it is written
}

// Form is how an identifier is written.
type Form string

// The forms.
const (
	FormRooted   Form = "rooted"   // ${PROJECT_ROOT}/src/a.go:45-67, the valid one; $PROJECT_ROOT/… is read as well
	FormRelative Form = "relative" // src/a.go:45, ./src/a.go:45
	FormHard     Form = "hard"     // /absolute/path/file.go:45
	FormHome     Form = "home"     // ~/code/x/a.go:45
)

// String is the identifier as the spec wants it.
func (r Ref) String() string { return r.Raw }

// ParseRef reads one identifier. Around it backticks, brackets and blanks are allowed; an en dash counts as a hyphen.
func ParseRef(s string) (Ref, bool) { return Ref{}, false }

// RefAt is an identifier that was found in a line.
type RefAt struct {
	Ref
	At, End int // bytes of the line
}

// FindRefs finds the identifiers of a line of text: paths with a line, and rooted ones with or without. Links of
// markdown, URLs, times and versions are none.
func FindRefs(line string) []RefAt { return nil }

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
