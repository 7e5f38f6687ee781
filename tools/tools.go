//go:build tools

// Package tools keeps the embedded stack's servers as pinned dependencies.
package tools

import (
	_ "github.com/temporalio/cli/cmd/temporal"
	_ "github.com/versity/versitygw/cmd/versitygw"
)
