package list

import "testing"

func TestLossWords(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		n, only, unknown int
		want             string
	}{
		{1, 0, 0, "nothing is lost: its live file contains everything"},
		{2, 0, 0, "nothing is lost: their live files contain everything"},
		{1, 1, 0, "it is the only copy"},
		{2, 1, 1, "1 of them is the only copy"},
		{3, 2, 0, "2 of them are the only copies"},
		{2, 2, 0, "all of them are the only copies"},
		{1, 0, 1, "it may be the only copy"},
		{2, 0, 2, "all of them may be the only copies"},
	} {
		if got := lossWords(test.n, test.only, test.unknown); got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
}
