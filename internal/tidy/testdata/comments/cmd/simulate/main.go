// Simulate runs scenarios.
package main
