// Package docs holds tests of the documents for people: it owns no code.
package docs
