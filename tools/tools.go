//go:build tools

// Package tools keeps the S3 gateway of the embedded stack as a pinned dependency.
package tools

import (
	_ "github.com/versity/versitygw/cmd/versitygw"
)
