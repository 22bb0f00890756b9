package handover

import "time"

// Held is the handover in one store of a project.
type Held struct {
	*Handover
	Mark Mark
	Name string    // the path of NOTES.md, the base name of a document, or the ID of a bead
	Text string    // the text of a document without its front matter; "" for other stores
	At   time.Time // time of the handover, or of the last change of the store; zero if unknown
}
