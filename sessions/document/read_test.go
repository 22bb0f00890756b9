package document

import (
	"bytes"
	"testing"
)

// countingReader counts the bytes that callers request.
type countingReader struct {
	r    *bytes.Reader
	read int
}

func (c *countingReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.read += n
	return n, err
}

// TestRead: Read stops after 8 MB, even within a line.
func TestRead(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"short": 100, "one line": 5 << 20, "beyond": Limit + 1<<20} {
		r := &countingReader{r: bytes.NewReader(bytes.Repeat([]byte("x"), size))}
		if _, err := Read(r, KindSession); err != nil || r.read != min(size, Limit) {
			t.Errorf("%s: %d bytes read, %v", name, r.read, err)
		}
	}
}
