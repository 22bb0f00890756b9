package tui

import (
	"reflect"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

const (
	frame = time.Second / 60 // interval at which Bubble Tea checks for a new view
	idle  = time.Second      // interval of the checks after a lull
	lull  = time.Second / 4  // time without a new view
)

// frames sets how often Bubble Tea checks for a new view. Bubble Tea always checks 60 times per second, and has no
// option for this. In an idle browser, the checks took two thirds of the processor time.
type frames struct {
	mu     sync.Mutex
	ticker *time.Ticker // nil: the interval can't be changed
	rests  *time.Timer  // sets the interval idle after a lull; then nil
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
		f.ticker.Reset(frame / 2) // half a frame is the average delay of a ticker
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
