// This package is about slots.
package slots
