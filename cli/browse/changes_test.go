package browse

import (
	"errors"
	"fmt"
	"testing"
)

var errTest = errors.New("test")

func TestDoneOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		some bool
		lost string
		err  error
		want string
	}{
		{true, "", nil, "Said. |  <nil>"},
		{true, "Lost.", nil, "Said. | Lost. <nil>"},
		{true, "Lost.", errTest, "Said. | Test. Lost. <nil>"},
		{false, "", errTest, " |  test"},
	} {
		done, err := doneOf("Said.", tt.some, tt.lost, tt.err)
		if got := fmt.Sprintf("%s | %s %v", done.Said, done.But, err); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
