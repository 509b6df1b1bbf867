package main

import (
	"cmp"
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print what this binary was built from",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			fmt.Fprintln(cmd.OutOrStdout(), "onceberg server", version())
			return nil
		},
	}
}

// release is what a build says that it is of, where it knows better than Go does:
//
//	go build -ldflags "-X main.release=v1.2.3" ./cmd/server
var release string

// version is the release or else the module's version and, where the build
// recorded it, the revision.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return cmp.Or(release, "(unknown)")
	}
	text := cmp.Or(release, info.Main.Version)
	for _, setting := range info.Settings {
		switch {
		case setting.Key == "vcs.revision":
			text += " " + setting.Value
		case setting.Key == "vcs.modified" && setting.Value == "true":
			text += " (modified)"
		}
	}
	return text + " " + info.GoVersion
}
