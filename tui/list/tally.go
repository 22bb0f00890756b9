package list

import "github.com/continuo-tui/continuo/sessions"

// Tally counts what the rows are.
type Tally struct {
	Shown, InScope          int                      // not hidden; Shown counts all projects
	Gone, GoneHere          int                      // of Shown and of InScope: their files were deleted, and no count has them
	HiddenRuns, HiddenStubs int                      // in scope
	Exact, Total            int                      // of all rows
	Pending, Unsaved        int                      // of all rows; Unsaved ended without a backup
	PendingHere             int                      // in scope
	PendingIn               map[string]int           // by project
	PendingFirst            map[string]*sessions.Row // the newest, by folder
}
