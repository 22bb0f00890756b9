package tui

import (
	"errors"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// TestPanicOfTheSource: the guard must see a panic of the source, so the command panics too.
func TestPanicOfTheSource(t *testing.T) {
	t.Parallel()
	bug := &sessions.PanicError{Value: "a bug"}
	for name, take := range map[string]func(from <-chan sessions.Batch){
		"takeRows":    func(from <-chan sessions.Batch) { takeRows(1, from, time.Now) },
		"takeChanges": func(from <-chan sessions.Batch) { takeChanges(from) },
	} {
		for _, tt := range []struct {
			err  error
			want any
		}{{bug, bug}, {errors.Join(errors.New("first"), bug), bug}, {errors.New("unreadable"), nil}, {nil, nil}} {
			from := make(chan sessions.Batch, 1)
			from <- sessions.Batch{Err: tt.err}
			close(from)
			func() {
				defer func() {
					if got := recover(); got != tt.want {
						t.Errorf("%s of %v panics with %v, want %v", name, tt.err, got, tt.want)
					}
				}()
				take(from)
			}()
		}
	}
}
