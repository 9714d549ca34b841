// Package wire has its comment in the second file.
package wire
