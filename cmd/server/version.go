package main

import (
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

// version is the module's version and, where the build recorded it, the
// revision.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	text := info.Main.Version
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
