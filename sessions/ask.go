package sessions

import (
	"context"
	"time"
)

// AtOnce is the number of goroutines of AskAll. Each call on a dead mount blocks one of them.
const AtOnce = 64

// AskAll calls ask for each key, AtOnce calls at a time, and returns the answers by key. At the time until, it
// returns the answers so far, even if a call hangs. If ask panics before, AskAll panics with a *PanicError.
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

// InTime returns the answer of ask. It returns false if ask takes longer than limit.
func InTime[T any](ctx context.Context, limit time.Duration, ask func(context.Context) T) (T, bool) {
	v, ok := AskAll(ctx, time.Now().Add(limit), []string{""}, func(ctx context.Context, _ string) T { return ask(ctx) })[""]
	return v, ok
}
