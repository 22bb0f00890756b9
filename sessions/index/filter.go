package index

import (
	"math"
	"math/bits"
)

// filter is a Bloom filter of a block's folded text. Each trigram (three consecutive bytes) and some prefixes of each
// word set one bit.
type filter struct{ bits []byte }

// The minimum and maximum length in bytes of the prefixes in a filter. In a search for three common words that are
// rarely together, filters with prefixes admit 7 % of the blocks. Trigrams alone would admit nearly all.
const (
	minPrefix = 4
	maxPrefix = 8
	// prefixLengths has the bits minPrefix to maxPrefix set.
	prefixLengths = 1<<(maxPrefix+1) - 1<<minPrefix
)

// newFilter returns the filter of a folded text. Its length is an eighth of the text's, rounded up to a power of two.
//
// Processors can't predict the ends of words, so the loop has no branches. Each byte sets a bit for a prefix, but
// outside of prefixes this bit has the value 0.
func newFilter(folded []byte) *filter {
	f := &filter{bits: make([]byte, 1<<max(7, bits.Len(uint(max(len(folded)-1, 0)>>3))))}
	var inWord [256]uint32 // all bits are set for bytes of words
	for c := range inWord {
		if isWord(byte(c)) { //nolint:gosec // below 256
			inWord[c] = math.MaxUint32
		}
	}
	all, mask := f.bits, uint32(len(f.bits)-1)                 //nolint:gosec // a power of two below 2^28
	word, h, three := uint32(0), uint32(prefixSeed), uint32(0) // length and hash of the current word; the last three bytes
	for i, c := range folded {
		in := inWord[c]
		word = min(word+1, maxPrefix+1) & in
		h = addPrefix(h, c)&in | prefixSeed&^in
		all[h>>3&mask] |= byte(uint32(prefixLengths) >> word & 1 << (h & 7)) //nolint:gosec // one of eight bits
		if three = three>>8 | uint32(c)<<16; i >= 2 {
			m := mix(three)
			all[m>>3&mask] |= 1 << (m & 7)
		}
	}
	return f
}

func (f *filter) has(h uint32) bool {
	return f.bits[h>>3&uint32(len(f.bits)-1)]>>(h&7)&1 != 0 //nolint:gosec // a power of two below 2^28
}

// isWord reports whether a byte is part of a word: an ASCII letter or digit, or a byte of another rune.
func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// mix returns the hash of a trigram, whose first byte is in the lowest bits of three.
func mix(three uint32) uint32 {
	three *= 0x9e3779b1
	return three ^ three>>15
}

const prefixSeed = 2166136261

func addPrefix(h uint32, c byte) uint32 { return (h ^ uint32(c)) * 16777619 }

// sieve has the hashes that each block with a match must have.
type sieve struct {
	trigrams []uint32 // hashes of all trigrams
	prefixes []uint32 // hashes of the literals as prefixes of words
}

func newSieve(literals [][]byte) sieve {
	var s sieve
	for _, l := range literals {
		for i := 2; i < len(l); i++ {
			s.trigrams = append(s.trigrams, mix(uint32(l[i-2])|uint32(l[i-1])<<8|uint32(l[i])<<16))
		}
		h, n := uint32(prefixSeed), 0
		for _, c := range l {
			if n == maxPrefix || !isWord(c) {
				break
			}
			h = addPrefix(h, c)
			n++
		}
		if n >= minPrefix {
			s.prefixes = append(s.prefixes, h)
		}
	}
	return s
}

// admits reports whether a block with filter f may have a match. asTyped is for matches in which words begin with the
// typed words.
func (s *sieve) admits(f *filter) (any, asTyped bool) {
	for _, h := range s.trigrams {
		if !f.has(h) {
			return false, false
		}
	}
	for _, h := range s.prefixes {
		if !f.has(h) {
			return true, false
		}
	}
	return true, true
}
