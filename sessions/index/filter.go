package index

import (
	"math"
	"math/bits"
)

// filter is a Bloom filter of the folded text of a block. It contains all trigrams (three consecutive bytes) and the
// prefixes of all words. The hash of each trigram and each prefix sets one bit.
type filter struct{ bits []byte }

// Lengths in bytes of the prefixes in a filter. The prefixes make a filter much stricter. Take three common words that
// rarely occur together: the filters admit 7 % of the blocks. With trigrams alone, they would admit nearly all blocks.
const (
	minPrefix = 4
	maxPrefix = 8
	// prefixLengths has a bit for each of these lengths.
	prefixLengths = 1<<(maxPrefix+1) - 1<<minPrefix
)

// newFilter returns the filter of a folded text. The length of the filter is an eighth of the length of the text,
// rounded up to a power of two.
//
// A processor doesn't predict the end of a word, which comes after five letters on average. So the loop has no branches:
// each byte sets a bit for a prefix, too, and outside of prefixes, this bit is 0.
func newFilter(folded []byte) *filter {
	f := &filter{bits: make([]byte, 1<<max(7, bits.Len(uint(max(len(folded)-1, 0)>>3))))}
	var inWord [256]uint32 // all bits are set for a byte of a word
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

// isWord reports whether a byte belongs to a word, that is, whether it is an ASCII letter or digit, or a part of a rune
// that isn't ASCII.
func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// mix returns the hash of a trigram. The lowest bits of three are the first byte of the trigram.
func mix(three uint32) uint32 {
	three *= 0x9e3779b1
	return three ^ three>>15
}

const prefixSeed = 2166136261

func addPrefix(h uint32, c byte) uint32 { return (h ^ uint32(c)) * 16777619 }

// sieve has hashes of strings that every match contains.
type sieve struct {
	trigrams []uint32 // hashes of all trigrams
	prefixes []uint32 // hashes of the strings as prefixes of words
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

// admits reports whether a block with filter f can have a match (any). asTyped reports whether the block can have a
// match in which words begin with the typed words.
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
