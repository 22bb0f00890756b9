// Package index is a cache of the texts in transcripts, documents and ledgers. It has the figures of each file, and its
// text in blocks that can be searched. An update reads only the new parts of the files.
//
// The cache is a directory with two files. The file "rows" is a log. Each frame in it commits the rows of some files
// and the length of their text. The file "text-<generation>" holds the text in blocks of about 256 KB. Each block has a
// filter that tells which words and letters the block may contain. The cache can be deleted at any time. A part that is
// damaged, missing or written by another version is built again.
//
// Only one process at a time writes, under a lock. Other processes keep new texts in memory, and take the lock when it
// is free. If the directory can't be written, the whole index stays in memory.
package index
