// Package index is a cache of the texts in transcripts, documents and ledgers. It has the figures of each file, and
// the texts of all files in blocks for searching. An update reads only new bytes.
//
// The cache is a directory with two files. "rows" is a log of frames. Each frame commits the rows of some files and
// the length of the text file. "text-<generation>" has the texts in blocks of about 256 KB. Each block has a Bloom
// filter of its words and trigrams. The cache can be deleted at any time. If it is damaged, incomplete or from
// another version, it is built again.
//
// One process at a time writes, under a lock. Other processes keep new texts in memory, and take the lock when it is
// free. In an unwritable directory, the whole index stays in memory.
package index
