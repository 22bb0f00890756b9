package index

import (
	"math"
	"math/bits"
)

// filter is a Bloom filter of the folded text of a block. It contains each trigram (three consecutive bytes) of the
// text, and prefixes of each word. The hash of each of these sets one bit.
type filter struct{ bits []byte }

// The minimum and maximum length in bytes of the prefixes in a filter. With prefixes, filters admit far fewer blocks: 7
// % for a search for three common words that rarely occur together. With trigrams alone, they would admit nearly all.
const (
	minPrefix = 4
	maxPrefix = 8
	// prefixLengths has the bits minPrefix to maxPrefix set.
	prefixLengths = 1<<(maxPrefix+1) - 1<<minPrefix
)

// newFilter returns the filter of a folded text. Its length is an eighth of the length of the text, rounded up to a
// power of two.
//
// The loop has no branches, because the end of a word is hard to predict for the processor. So each byte sets a bit for
// a prefix, but outside of prefixes the value of this bit is 0.
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

// isWord reports whether a byte is part of a word: an ASCII letter, an ASCII digit, or a byte of a rune outside of
// ASCII.
func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// mix returns the hash of a trigram. Its first byte is in the lowest bits of three.
func mix(three uint32) uint32 {
	three *= 0x9e3779b1
	return three ^ three>>15
}

const prefixSeed = 2166136261

func addPrefix(h uint32, c byte) uint32 { return (h ^ uint32(c)) * 16777619 }

// sieve has the hashes that the filter of every block with a match must contain.
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

// admits reports whether a block with filter f may have a match. asTyped reports whether it may have a match in which
// words begin with the typed words.
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
