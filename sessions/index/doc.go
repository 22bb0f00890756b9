// Package index is a cache of what was said in transcripts, documents and ledgers: the figures of each file, and its
// text in blocks that can be searched. It is brought up to date by reading only what is new.
//
// The cache is a directory with two files. The file "rows" is a log: each frame of it commits the rows of some files and
// the length of the text that belongs to them. The file "text-<generation>" holds the text in blocks of up to 256 KB,
// each with a filter that says which words and letters may occur in it. Nothing in the cache is needed: a part that is
// damaged, missing or written by another version is built again.
//
// One process at a time writes, under a lock. The others keep in memory what isn't in the cache yet, and take over the
// lock when it is free. If the directory can't be written, all of it is kept in memory.
package index
