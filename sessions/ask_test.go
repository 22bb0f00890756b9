package sessions

import (
	"context"
	"testing"
	"time"
)

func TestInTimeHangs(t *testing.T) {
	t.Parallel()
	forever := make(chan struct{})
	t.Cleanup(func() { close(forever) })
	if n, ok := InTime(t.Context(), time.Millisecond, func(context.Context) int { <-forever; return 1 }); ok || n != 0 {
		t.Errorf("%d, %v", n, ok)
	}
	if n, ok := InTime(t.Context(), time.Minute, func(context.Context) int { return 1 }); !ok || n != 1 {
		t.Errorf("%d, %v", n, ok)
	}
}
