package transcript

import (
	"bytes"
	"os"
	"testing"
)

func bench(b *testing.B, p string) {
	d, _ := os.ReadFile(p)
	ls := bytes.Split(d, []byte("\n"))
	b.SetBytes(int64(len(d)))
	b.ResetTimer()
	var e Envelope
	for b.Loop() {
		for _, l := range ls {
			Scan(l, &e)
		}
	}
}
func BenchmarkReal(b *testing.B)  { bench(b, "/tmp/real.jsonl") }
func BenchmarkHeavy(b *testing.B) { bench(b, "/tmp/sample.jsonl") }
func BenchmarkNL(b *testing.B) {
	d, _ := os.ReadFile("/tmp/real.jsonl")
	b.SetBytes(int64(len(d)))
	b.ResetTimer()
	for b.Loop() {
		bytes.IndexByte(d, 0)
	}
}
