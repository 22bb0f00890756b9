package family_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/family"
)

// TestClient checks sessions of client 2.1.329: a fork with --fork-session, a fork by the SDK, a /clear.
func TestClient(t *testing.T) {
	t.Parallel()
	var rows []*sessions.Row
	for _, root := range filepath.SplitList(os.Getenv("CONTINUO_CORPUS")) {
		paths, err := filepath.Glob(filepath.Join(root, "projects", "-home-dev-demo", "*.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			rows = append(rows, &sessions.Row{Kind: sessions.KindSession, Session: sessions.Read(t.Context(), path, hour(100))})
		}
	}
	if len(rows) == 0 {
		t.Skip("CONTINUO_CORPUS isn't set or has no sessions of the client")
	}
	for id, want := range map[string]string{
		"9adfd101-7559-4446-92c2-ab98f954364f": "0 4bf33869-fe3d-46b9-9cf8-26f4db39464d; 0 9adfd101-7559-4446-92c2-ab98f954364f fork of 4bf33869-fe3d-46b9-9cf8-26f4db39464d at 9",
		"0ab4b884-a80d-4df4-a16e-80544437eade": "0 f0e416db-228f-455b-b93b-651efe22851d; 0 0ab4b884-a80d-4df4-a16e-80544437eade fork of f0e416db-228f-455b-b93b-651efe22851d at 2",
		"63014f4b-f04a-4fe6-9c80-3b6d8a18e9f3": "0 28298585-9393-47de-ba48-4eb1264fbc67; 0 63014f4b-f04a-4fe6-9c80-3b6d8a18e9f3 clear of 28298585-9393-47de-ba48-4eb1264fbc67",
		"00c6b65e-dbdf-4414-a5e7-ce817ac88486": "0 00c6b65e-dbdf-4414-a5e7-ce817ac88486",
	} {
		i := slices.IndexFunc(rows, func(r *sessions.Row) bool { return r.ID == id })
		if i < 0 {
			t.Errorf("no session %s", id)
		} else if got := drawn(family.Of(slices.Values(rows), rows[i])); got != want {
			t.Errorf("the family of %s:\n got %s\nwant %s", id, got, want)
		}
	}
}
