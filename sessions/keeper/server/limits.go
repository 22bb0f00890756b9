package server

import (
	"sync"
	"time"
)

// limits protect the keeper from a program that goes wrong. They are far above the needs of a page.
type limits struct {
	body      int64         // bytes of a request
	header    int           // bytes of the header of a request
	queue     int           // prompts of a session that wait
	conns     int           // connections
	rate      float64       // requests per second, after a burst
	burst     float64       //
	badRate   float64       // requests per second without the right token; they don't use up rate
	badBurst  float64       //
	readTime  time.Duration // for a request
	writeTime time.Duration // for an answer
	idleTime  time.Duration // of a connection between requests
	frameTime time.Duration // for a frame of a WebSocket
}

func usual() limits {
	return limits{
		body: 1 << 20, header: 16 << 10, queue: 20, conns: 512, rate: 50, burst: 500, badRate: 10, badBurst: 50,
		readTime: 10 * time.Second, writeTime: 30 * time.Second, idleTime: time.Minute, frameTime: 10 * time.Second,
	}
}

// bucket limits a rate: it has tokens, and takes one for each request.
type bucket struct {
	rate, burst float64

	mu     sync.Mutex
	tokens float64
	at     time.Time // time of the last request
}

func newBucket(rate, burst float64) *bucket { return &bucket{rate: rate, burst: burst, tokens: burst} }

// take reports whether a request may pass.
func (b *bucket) take(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.at.IsZero() {
		b.tokens = min(b.burst, b.tokens+b.rate*max(0, now.Sub(b.at).Seconds()))
	}
	b.at = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}
