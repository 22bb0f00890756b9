package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"
)

// ErrNotLoopback is returned for a listener that accepts connections from other machines.
var ErrNotLoopback = errors.New("the keeper listens on loopback only")

// Serve answers requests until ctx is done. Then it ends all requests, including WebSockets. The error is
// ErrNotLoopback, or that of the listener.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	return serve(ctx, l, h, usual())
}

func serve(ctx context.Context, l net.Listener, h http.Handler, lim limits) error {
	if addr, ok := l.Addr().(*net.TCPAddr); !ok || !addr.IP.IsLoopback() {
		_ = l.Close()
		return fmt.Errorf("listen on %s: %w", l.Addr(), ErrNotLoopback)
	}
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	s := &http.Server{
		Handler: h, ReadTimeout: lim.readTime, WriteTimeout: lim.writeTime, IdleTimeout: lim.idleTime, MaxHeaderBytes: lim.header,
		BaseContext: func(net.Listener) context.Context { return base },
	}
	closed := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(closed)
		cancel() // ends WebSockets and streams
		last, done := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer done()
		_ = s.Shutdown(last) // lets short requests finish
		_ = s.Close()        // the listener is closed already
	})
	err := s.Serve(netutil.LimitListener(l, lim.conns))
	if stop() { // the listener has failed
		return errors.Join(fmt.Errorf("serve: %w", err), s.Close())
	}
	<-closed
	return nil
}
