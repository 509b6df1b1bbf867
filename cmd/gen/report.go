package main

import "github.com/spf13/cobra"

func newReport(s *settings) *cobra.Command { return &cobra.Command{Use: "report"} }
func newDiff(s *settings) *cobra.Command   { return &cobra.Command{Use: "diff"} }
