package tui

import (
	"reflect"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

const (
	frame = time.Second / 60 // interval of the checks for a new view, as in Bubble Tea
	idle  = time.Second      // the interval after a lull
	lull  = time.Second / 4  // time without a new view
)

// frames sets how often Bubble Tea checks for a new view. By itself, Bubble Tea checks 60 times per second even if nothing
// happens, and has no option for that. At rest, these checks took twice the time of everything else.
type frames struct {
	mu     sync.Mutex
	ticker *time.Ticker // nil: Bubble Tea never rests
	rests  *time.Timer  // nil after a lull
	last   time.Time    // when the last view was made
}

// viewed is called after each new view.
func (f *frames) viewed() {
	if f.ticker == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last = time.Now()
	if f.rests == nil {
		f.ticker.Reset(frame / 2) // a ticker that never rests would also draw the view after half a frame, on average
		f.rests = time.AfterFunc(lull, f.rest)
	}
}

func (f *frames) rest() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if since := time.Since(f.last); since < lull {
		f.ticker.Reset(frame)
		f.rests.Reset(lull - since)
		return
	}
	f.ticker.Reset(idle)
	f.rests = nil
}

// tickerOf returns the ticker of a running program, or nil if this version of Bubble Tea has none.
func tickerOf(p *tea.Program) *time.Ticker {
	field := reflect.ValueOf(p).Elem().FieldByName("ticker")
	if !field.IsValid() || field.Type() != reflect.TypeFor[*time.Ticker]() {
		return nil
	}
	return (*time.Ticker)(field.UnsafePointer())
}
