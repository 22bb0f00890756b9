package render

// Project is what the page of a project shows: what a person needs to know to go on there.
type Project struct {
	Dir string // its root
}
