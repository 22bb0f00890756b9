package sessions

import (
	"context"
	"time"
)

// AtOnce is the number of calls that AskAll runs concurrently. A call that hangs occupies a thread. If fewer than
// AtOnce folders are on a dead mount, the calls for other folders still run.
const AtOnce = 64

// AskAll calls ask for each key, many at once. It returns the answers that arrive before the time until, by key. It
// doesn't wait for a call that hangs in the kernel. If ask panics before that time, AskAll panics with a *PanicError.
func AskAll[T any](ctx context.Context, until time.Time, keys []string, ask func(context.Context, string) T) map[string]T {
	type answer struct {
		key   string
		value T
		bug   *PanicError
	}
	ctx, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	todo, got := make(chan string, len(keys)), make(chan answer, len(keys))
	for _, key := range keys {
		todo <- key
	}
	close(todo)
	for range min(AtOnce, len(keys)) {
		go func() {
			for key := range todo {
				if ctx.Err() != nil {
					return
				}
				a := answer{key: key}
				a.bug = Catch(func() { a.value = ask(ctx, key) })
				got <- a
			}
		}()
	}
	answers := make(map[string]T, len(keys))
	for range keys {
		select {
		case a := <-got:
			if a.bug != nil {
				panic(a.bug)
			}
			answers[a.key] = a.value
		case <-ctx.Done():
			return answers
		}
	}
	return answers
}

// InTime calls ask and returns its answer, or false if the answer takes longer than limit.
func InTime[T any](ctx context.Context, limit time.Duration, ask func(context.Context) T) (T, bool) {
	v, ok := AskAll(ctx, time.Now().Add(limit), []string{""}, func(ctx context.Context, _ string) T { return ask(ctx) })[""]
	return v, ok
}
