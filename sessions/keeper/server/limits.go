package server

import (
	"sync"
	"time"
)

// limits protect the keeper from programs that send too much. The page needs far less.
type limits struct {
	body      int64   // bytes of a request
	liveBody  int64   // bytes of a request of the Live screen, which may contain an environment
	header    int     // bytes of the header of a request
	queue     int     // queued prompts of a session
	conns     int     // connections
	rate      float64 // requests per second with the right token
	burst     float64 // requests at once
	badRate   float64 // rate of requests without the right token
	badBurst  float64
	readTime  time.Duration // for a request
	writeTime time.Duration // for an answer
	idleTime  time.Duration // of a connection between requests
	frameTime time.Duration // for sending a frame of a WebSocket
}

func usual() limits {
	return limits{
		body: 1 << 20, liveBody: 16 << 20, header: 16 << 10, queue: 20, conns: 512, rate: 50, burst: 500, badRate: 10, badBurst: 50,
		readTime: 10 * time.Second, writeTime: 30 * time.Second, idleTime: time.Minute, frameTime: 10 * time.Second,
	}
}

// bucket is a token bucket. A request takes a token. rate tokens per second are added, up to burst.
type bucket struct {
	rate, burst float64

	mu     sync.Mutex
	tokens float64
	at     time.Time // time of the last request
}

func newBucket(rate, burst float64) *bucket { return &bucket{rate: rate, burst: burst, tokens: burst} }

// take removes a token. It returns false without one: the request must be refused.
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
