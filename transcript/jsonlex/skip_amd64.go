package jsonlex

// skip returns the index of a quote that ends the string that b continues, or an index before it. The index is never
// inside an escape. escaped reports whether there is an escape before the index; it may also be true if the escape
// begins there. skip tests 32 bytes at a time with SSE2, which every amd64 processor has. It stops early at a byte that
// isn't valid, at a \u escape, and in the last 31 bytes of b.
//
//go:noescape
func skip(b []byte) (n int, escaped bool)
