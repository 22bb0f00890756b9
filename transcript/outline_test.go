package transcript

import (
	"fmt"
	"strings"
	"testing"
)

// TestOutlineAllocates: an outline allocates memory for many records at once.
func TestOutlineAllocates(t *testing.T) { //nolint:paralleltest // this test counts allocations
	const n = 3000
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"parentUuid":"parent-%d","type":"user","uuid":"parent-%d","message":{"role":"user","content":"hello"}}`+"\n", i, i+1)
	}
	o, text := NewOutline(), b.String()
	allocs := testing.AllocsPerRun(5, func() {
		o.Reset()
		if _, err := o.Extend(t.Context(), NewReader(strings.NewReader(text), 0)); err != nil {
			t.Fatal(err)
		}
	})
	if len(o.Records) != n || o.Name(o.Records[n-1].UUID) != "parent-3000" {
		t.Fatalf("the outline has %d records", len(o.Records))
	}
	if allocs > n/5 {
		t.Errorf("an outline of %d records allocates %g times, want at most %d", n, allocs, n/5)
	}
}
