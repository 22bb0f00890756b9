//go:build race

package drilltest

const race = true
