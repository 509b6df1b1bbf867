package apache

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ClassPath compiles the Maven project in a folder, which has the server among its
// dependencies, and returns the class path to run it with. What Maven says goes to
// the file log.
func ClassPath(ctx context.Context, project, log string) (string, error) {
	output, err := os.Create(log)
	if err != nil {
		return "", err
	}
	defer output.Close()
	cmd := exec.CommandContext(ctx, "mvn", "-q", "-B", "test-compile", "dependency:build-classpath",
		"-Dmdep.outputFile=target/classpath", "-Dmdep.includeScope=test")
	cmd.Dir = project
	cmd.Stdout, cmd.Stderr = output, output
	if err := cmd.Run(); err != nil {
		said, _ := os.ReadFile(log)
		return "", fmt.Errorf("the Java project (Java 17 and Maven are needed): %w\n%s", err, said[max(0, len(said)-2000):])
	}
	libraries, err := os.ReadFile(filepath.Join(project, "target", "classpath"))
	if err != nil {
		return "", err
	}
	classes, err := filepath.Abs(filepath.Join(project, "target", "test-classes"))
	if err != nil {
		return "", err
	}
	return classes + string(filepath.ListSeparator) + strings.TrimSpace(string(libraries)), nil
}
