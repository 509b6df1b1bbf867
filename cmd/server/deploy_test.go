package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/onceberg/onceberg/cmd/server/settings"
)

// composition is what deploy/compose.yaml uses of Compose's language. A key that
// is not here is taken for a mistake.
type composition struct {
	Name     string             `yaml:"name"`
	Server   yaml.Node          `yaml:"x-server"`
	Node     yaml.Node          `yaml:"x-node"`
	Services map[string]service `yaml:"services"`
	Volumes  map[string]any     `yaml:"volumes"`
}

type service struct {
	Image string `yaml:"image"`
	Build struct {
		Context    string            `yaml:"context"`
		Dockerfile string            `yaml:"dockerfile"`
		Args       map[string]string `yaml:"args"`
	} `yaml:"build"`
	Environment map[string]string `yaml:"environment"`
	Command     []string          `yaml:"command"`
	DependsOn   map[string]struct {
		Condition string `yaml:"condition"`
	} `yaml:"depends_on"`
	Volumes     []string `yaml:"volumes"`
	Ports       []string `yaml:"ports"`
	Restart     string   `yaml:"restart"`
	Healthcheck struct {
		Test     []string      `yaml:"test"`
		Interval time.Duration `yaml:"interval"`
		Timeout  time.Duration `yaml:"timeout"`
		Retries  int           `yaml:"retries"`
	} `yaml:"healthcheck"`
	StopGracePeriod time.Duration `yaml:"stop_grace_period"`
}

// runsServer tells the services of our own image.
func (s service) runsServer() bool { return s.Build.Dockerfile != "" }

func readComposition(t *testing.T) composition {
	t.Helper()
	decoder := yaml.NewDecoder(strings.NewReader(read(t, "deploy/compose.yaml")))
	decoder.KnownFields(true)
	var c composition
	if err := decoder.Decode(&c); err != nil {
		t.Fatal(err)
	}
	return c
}

// needed is a variable that Compose refuses to start without.
var needed = regexp.MustCompile(`\$\{[A-Z_]+:\?[^}]+\}`)

// What compose.yaml refers to is there, and every service can come up.
func TestComposition(t *testing.T) {
	t.Parallel()
	c := readComposition(t)
	nodes := 0
	for name, s := range c.Services {
		if s.Image == "" || strings.HasSuffix(s.Image, ":latest") {
			t.Errorf("%s: the image %q has no version", name, s.Image)
		}
		for on, how := range s.DependsOn {
			target, exists := c.Services[on]
			switch {
			case !exists:
				t.Errorf("%s depends on %s, which does not exist", name, on)
			case how.Condition == "service_healthy" && len(target.Healthcheck.Test) == 0,
				how.Condition == "service_completed_successfully" && target.Restart != "no",
				!slices.Contains([]string{"service_started", "service_healthy", "service_completed_successfully"}, how.Condition):
				t.Errorf("%s waits for %s of %s, which never comes", name, how.Condition, on)
			}
		}
		for _, volume := range s.Volumes {
			source, _, _ := strings.Cut(volume, ":")
			_, named := c.Volumes[source]
			if _, err := os.Stat(filepath.Join("../../deploy", source)); named == (err == nil) {
				t.Errorf("%s mounts %s, which must be either a volume or a file", name, source)
			}
		}
		for variable, value := range s.Environment {
			if strings.Contains(variable, "PASSWORD") && needed.FindString(value) != value {
				t.Errorf("%s: %s must come from the environment", name, variable)
			}
		}
		if s.runsServer() && slices.Equal(s.Command, []string{"serve"}) {
			nodes++
		}
	}
	if nodes != 3 {
		t.Errorf("%d nodes", nodes)
	}
}

// The server takes the settings that image and composition give it, and they are
// what is meant: nodes that can be told to stop, share what they must, and are
// given time.
func TestComposedSettings(t *testing.T) {
	image := instructions(t)
	for name, s := range readComposition(t).Services {
		if !s.runsServer() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			environ := slices.Clone(image["ENV"])
			for variable, value := range s.Environment {
				environ = append(environ, variable+"="+needed.ReplaceAllString(value, "hush"))
			}
			for _, setting := range environ {
				variable, value, _ := strings.Cut(setting, "=")
				t.Setenv(variable, value)
			}
			var out, problems bytes.Buffer
			if code := Do(t.Context(), []string{"config"}, strings.NewReader(""), &out, &problems); code != exitOK {
				t.Fatalf("exit code %d\n%s", code, &problems)
			}
			if text := out.String(); strings.Contains(text, "hush") || !strings.Contains(text, "postgres://onceberg@database:5432/onceberg") {
				t.Errorf("the configuration is\n%s", text)
			}
			got, err := settings.Load(settings.Sources{Environ: environ})
			if err != nil {
				t.Fatal(err)
			}
			if !got.SharesDatabase() || got.Listen != "0.0.0.0:8181" || got.Catalog.SQL.Password != "hush" {
				t.Errorf("the settings are %+v", got)
			}
			if folder := image["VOLUME"][0]; got.DataFolder != folder || !strings.HasPrefix(got.Catalog.Warehouse, "file:"+folder) {
				t.Errorf("data in %s, tables in %s, but the volume is %s", got.DataFolder, got.Catalog.Warehouse, folder)
			}
			if slices.Equal(s.Command, []string{"serve"}) && s.StopGracePeriod <= got.ShutdownTimeout {
				t.Errorf("killed after %v, but may take %v to stop", s.StopGracePeriod, got.ShutdownTimeout)
			}
			checkProxy(t, name, s, got)
		})
	}
}

var (
	backendServer = regexp.MustCompile(`(?m)^    server (\S+) (\S+)$`)
	serverTimeout = regexp.MustCompile(`(?m)^    timeout server (\S+)$`)
)

// checkProxy holds that the proxy knows a node, and waits for what it executes.
func checkProxy(t *testing.T, name string, s service, got *settings.Settings) {
	t.Helper()
	text := read(t, "deploy/haproxy.cfg")
	_, port, _ := strings.Cut(got.Listen, ":")
	known := false
	for _, server := range backendServer.FindAllStringSubmatch(text, -1) {
		known = known || server[1] == name && server[2] == name+":"+port
	}
	if serves := slices.Equal(s.Command, []string{"serve"}); known != serves {
		t.Errorf("%s serves: %v; the proxy knows it: %v", name, serves, known)
	}
	timeout := serverTimeout.FindStringSubmatch(text)
	if patience, err := time.ParseDuration(timeout[1]); err != nil || patience <= got.Idempotency.ExecutionTimeout {
		t.Errorf("the proxy waits for %v (%v), an execution may take %v", patience, err, got.Idempotency.ExecutionTimeout)
	}
	if !regexp.MustCompile(`(?m)^    retry-on conn-failure$`).MatchString(text) {
		t.Error("the proxy may send a mutation twice")
	}
}

// instructions reads the Dockerfile: its instructions' arguments by their names,
// in order.
func instructions(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, line := range strings.Split(read(t, "deploy/Dockerfile"), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, arguments, _ := strings.Cut(line, " ")
		if strings.HasSuffix(line, "\\") || arguments == "" || !slices.Contains([]string{
			"FROM", "WORKDIR", "COPY", "ARG", "RUN", "USER", "ENV", "VOLUME", "EXPOSE", "ENTRYPOINT",
		}, name) {
			t.Fatalf("the test does not understand %q", line)
		}
		all[name] = append(all[name], arguments)
	}
	return all
}

// The image holds what it copies, runs it as nobody, and its data stays its own.
func TestImage(t *testing.T) {
	t.Parallel()
	image := instructions(t)
	left := strings.Fields(read(t, "deploy/Dockerfile.dockerignore"))
	for _, arguments := range image["COPY"] {
		words := strings.Fields(arguments)
		if strings.HasPrefix(words[0], "--from=build") {
			continue // of the line that is built below
		}
		for _, source := range words[:len(words)-1] {
			if _, err := os.Stat(filepath.Join("../..", source)); err != nil || slices.Contains(left, source) {
				t.Errorf("COPY %s: %v", source, err)
			}
		}
	}
	deps, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{if .Module}}{{if .Module.Main}}{{.Dir}}{{end}}{{end}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	root, _ := filepath.Abs("../..")
	for _, folder := range strings.Fields(string(deps)) {
		inside, _ := filepath.Rel(root, folder)
		if top, _, _ := strings.Cut(inside, string(filepath.Separator)); slices.Contains(left, top) {
			t.Errorf("the build lacks %s", inside)
		}
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "go.mod"))[1]
	if !strings.HasPrefix(image["FROM"][0], "golang:"+version+"-") {
		t.Errorf("built with %s, but go.mod says %s", image["FROM"][0], version)
	}
	if user := image["USER"][0]; strings.HasPrefix(user, "0") || !slices.ContainsFunc(image["COPY"], func(c string) bool {
		return strings.Contains(c, "--chown="+user) && strings.HasSuffix(c, " "+image["VOLUME"][0])
	}) {
		t.Errorf("the user %s must own %s, and be nobody", user, image["VOLUME"])
	}
}

// The Dockerfile's own line builds a server that needs no C library, and has SQLite
// all the same.
func TestImageIsBuilt(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, line := range instructions(t)["RUN"] {
		if !strings.Contains(line, "go build") {
			continue
		}
		cmd := exec.CommandContext(t.Context(), "sh", "-c", strings.ReplaceAll(line, "/out/", folder+"/"))
		cmd.Dir = "../.."
		cmd.Env = append(os.Environ(), "VERSION=v1.2.3-built")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	version, err := exec.CommandContext(t.Context(), filepath.Join(folder, "server"), "version").Output()
	if err != nil || !strings.HasPrefix(string(version), "onceberg server v1.2.3-built ") {
		t.Errorf("the build argument has become %q, %v", version, err)
	}
	migrate := exec.CommandContext(t.Context(), filepath.Join(folder, "server"), "migrate", "--data-folder", filepath.Join(folder, "data"))
	migrate.Env = []string{}
	if out, err := migrate.CombinedOutput(); err != nil || !strings.Contains(string(out), "up to date") {
		t.Errorf("%v\n%s", err, out)
	}
}
