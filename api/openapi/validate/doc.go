// Package validate holds the OpenAPI document, and what a running node said over the wire, against a second
// implementation of OpenAPI 3.1. It is a module of its own, so that the server does not carry the validator.
//
// It has tests only; "make check-openapi-go" runs them.
package validate
