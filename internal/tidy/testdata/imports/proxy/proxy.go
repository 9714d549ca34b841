// Package proxy is new.
package proxy
