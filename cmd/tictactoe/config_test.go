package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tictactoe/bot/change"
	"tictactoe/bot/service"
	"tictactoe/store"
)

// inProcess runs the program here, with settings and nothing else.
func inProcess(t *testing.T, settings []string, args ...string) (code int, output string) {
	t.Helper()
	t.Chdir(t.TempDir())
	var out bytes.Buffer
	code = run(context.Background(), args, settings, &out, &out)
	return code, out.String()
}

func TestBadSettingsAreReportedAtOnce(t *testing.T) {
	code, out := inProcess(t, []string{
		"DISCORD_API_URL=ftp://example.org", "DISCORD_GUILD_ID=home", "DATABASE_URL=mysql://user:hunter2@host/db",
		"CHALLENGE_TTL=soon", "DEFAULT_CLOCK=10ms", "START_LIMIT=many", "REMOVED_GUILD_DAYS=month", "SUPPORT_URL=http://example.org", "LOG_LEVEL=loud", "LOG_FORMAT=xml", "HTTP_ADDR=8080",
		"DISCORD_PUBLIC_KEY=key", "DISCORD_GATEWAY=perhaps", "METRICS_ADDR=9464", "SHARD_COUNT=3", "SHARD_IDS=all",
	})
	if code != exitUsage {
		t.Errorf("exit code %d, want %d", code, exitUsage)
	}
	for _, name := range settingNames() {
		if !strings.Contains(out, name) {
			t.Errorf("%s is not reported in:\n%s", name, out)
		}
	}
	if strings.Contains(out, "hunter2") {
		t.Error("a password is in the output")
	}
}

func TestGoodSettings(t *testing.T) {
	var p problems
	var o service.Options
	gameSettings{ChallengeTTL: "90s", DefaultClock: "none", StartLimit: "none", KeepRemoved: "2", SupportURL: "https://example.org/help?a=b"}.check(&p, &o)
	discordSettings{apiSettings{Token: " Bot abc.def.ghi ", APIURL: "http://127.0.0.1:1/api/v10/"}, "123"}.check(&p, &o)
	g, d := o.Bot, o.REST
	if len(p) > 0 {
		t.Fatal(p)
	}
	if g.DefaultClock != 0 || g.ChallengeTTL.Seconds() != 90 || g.StartLimit.PerUser != 0 || g.KeepRemoved.Hours() != 48 || g.SupportURL != "https://example.org/help?a=b" {
		t.Errorf("game settings are %+v", g)
	}
	if d.Token != "abc.def.ghi" || d.BaseURL != "http://127.0.0.1:1/api/v10" || g.CommandGuild != "123" {
		t.Errorf("the address is %q, the token right: %v, the server %q", d.BaseURL, d.Token == "abc.def.ghi", g.CommandGuild)
	}
	for text, want := range map[string]string{"sqlite:a.db": "a.db", "sqlite:///var/lib/a.db": "/var/lib/a.db", "sqlite:/a.db": "/a.db"} {
		if got := checkDatabase(&p, "DATABASE_URL", text); got != (database{path: want}) {
			t.Errorf("checkDatabase(%q) = %+v, want the file %q", text, got, want)
		}
	}
}

// TestDatabaseSetting: what cannot be used as a database is named with what is wrong
// about it, before anything is opened, and no password is repeated.
func TestDatabaseSetting(t *testing.T) {
	for text, want := range map[string]string{
		"tictactoe.db":                                            "must be sqlite: and a file's path",
		"sqlite:":                                                 "must be sqlite: and a file's path",
		"mysql://bot:hunter2@host/games":                          "or postgres:// and a database's address",
		"postgres://bot:hunter2@host":                             "names no database",
		"postgres://bot:hunter2@host/":                            "names no database",
		"postgres://bot:hunter2@host:port/games":                  "is no address",
		"postgres://bot:hunter2%@host/games":                      "percent-encoded",
		"postgres://bot:hunter2@host:99999999/games":              "host or port",
		"postgres://bot:hunter2@host/games?sslmode=perhaps":       "a value of sslmode",
		"postgresql://bot:hunter2@host/games?pool_max_conns=many": "a value of pool_max_conns",
		"postgres://bot:hunter2@host/games?connect_timeout=-":     "a value of connect_timeout",
		"postgres://bot:hunter2@host/games?sslmode=%zz":           "percent-encoded",
	} {
		code, out := inProcess(t, []string{"DISCORD_TOKEN=abc", "DATABASE_URL=" + text}, "run")
		if code != exitUsage || !strings.Contains(out, "DATABASE_URL") || !strings.Contains(out, want) {
			t.Errorf("%q: exit code %d, %s\nwant %q", text, code, out, want)
		}
		if strings.Contains(out, "hunter2") {
			t.Errorf("%q: a password is in the output:\n%s", text, out)
		}
	}
	var p problems
	const good = "postgres://bot:hunter2@db.example:5432/games?sslmode=require"
	if got := checkDatabase(&p, "DATABASE_URL", good); len(p) > 0 || got != (database{address: good}) {
		t.Errorf("%q: %v", good, p)
	}
}

// TestUnreachableDatabase: a server that is not there ends the program at once, with the
// database's name and no password.
func TestUnreachableDatabase(t *testing.T) {
	code, out := inProcess(t, []string{"DISCORD_TOKEN=abc", "DATABASE_URL=postgres://bot:hunter2@127.0.0.1:1/games?sslmode=disable"}, "run")
	if code != exitError || !strings.Contains(out, "games on 127.0.0.1:1") || !strings.Contains(out, store.ErrUnreachable.Error()) || strings.Contains(out, "hunter2") {
		t.Errorf("exit code %d, %s", code, out)
	}
}

// TestStartLimitSetting: one number is a person's, blanks around do not matter, and
// everything else is an error that shows how to write it.
func TestStartLimitSetting(t *testing.T) {
	for text, want := range map[string]change.StartLimit{
		"none": {}, " none\t": {}, "20/600": {PerUser: 20, PerGuild: 600}, " 5/6 ": {PerUser: 5, PerGuild: 6},
		"7": {PerUser: 7, PerGuild: 600},
	} {
		var p problems
		var got service.Options
		gameSettings{ChallengeTTL: "15m", DefaultClock: "none", StartLimit: text, KeepRemoved: "0"}.check(&p, &got)
		if len(p) > 0 || got.Bot.StartLimit != want {
			t.Errorf("%q: got %+v, %v, want %+v", text, got.Bot.StartLimit, p, want)
		}
	}
	for _, text := range []string{"many", "0", "-5", "1/0", "5/", "/5", "1/2/3", "1 / 2", "5/none", "None", "1.5", "+5"} {
		code, out := inProcess(t, []string{"DISCORD_TOKEN=abc", "START_LIMIT=" + text}, "run")
		if code != exitUsage || !strings.Contains(out, "START_LIMIT") || !strings.Contains(out, "20/600") || !strings.Contains(out, "none") {
			t.Errorf("%q: exit code %d, %s", text, code, out)
		}
	}
}

func TestSecretsDoNotPrint(t *testing.T) {
	d := database{address: "abc"}
	var b bytes.Buffer
	var p problems
	logSettings{LogLevel: "debug", LogFormat: "json"}.check(&p, &b).Info("x", "address", d.address, "all", d)
	if strings.Contains(b.String(), "abc") {
		t.Errorf("logged %s", b.String())
	}
}

func TestFlagsOverrideEnvironmentOverridesFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, ".env")
	if err := os.WriteFile(file, []byte("CHALLENGE_TTL=1h\nDEFAULT_CLOCK=2h\nSTART_LIMIT=7/8\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	vars, wrong := readEnvironment([]string{"DEFAULT_CLOCK=3h", "EMPTY="}, file)
	if len(wrong) != 0 {
		t.Fatal(wrong)
	}
	if vars["CHALLENGE_TTL"] != "1h" || vars["DEFAULT_CLOCK"] != "3h" {
		t.Errorf("got %v", vars)
	}
	t.Chdir(dir)
	var out bytes.Buffer
	code := run(context.Background(), []string{"run", "--default-clock=bad-flag"}, []string{"DEFAULT_CLOCK=3h"}, &out, &out)
	if code != exitUsage || !strings.Contains(out.String(), "bad-flag") {
		t.Errorf("the flag does not win: exit code %d, %s", code, out.String())
	}
}

// TestWhatIsWrongInFile: everything is reported at once, and only by commands that
// live by settings.
func TestWhatIsWrongInFile(t *testing.T) {
	for name, text := range map[string]string{
		"misspelt": "DISCORD_TOKN=secret-value\nCHALLENGE_TTL=soon\n", "no list": "DISCORD_TOKN=secret-value\nwhat is this\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile(dotenvFile, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, command := range []string{"run", "register"} {
				var out bytes.Buffer
				code := run(t.Context(), []string{command}, []string{"DISCORD_API_URL=q", "SUPPORT_URL=http://example.org", "LOG_LEVEL=loud"}, &out, &out)
				want := []string{".env", "DISCORD_API_URL", "LOG_LEVEL", "DISCORD_TOKEN"}
				if name == "misspelt" {
					want = append(want, "DISCORD_TOKN")
				}
				for _, part := range want {
					if !strings.Contains(out.String(), part) {
						t.Errorf("%s does not report %s:\n%s", command, part, out.String())
					}
				}
				if code != exitUsage || strings.Contains(out.String(), "secret-value") {
					t.Errorf("%s: exit code %d:\n%s", command, code, out.String())
				}
			}
			for _, args := range [][]string{{"--version"}, {"--help"}, {"run", "--help"}} {
				var out bytes.Buffer
				if code := run(t.Context(), args, nil, &out, &out); code != exitOK {
					t.Errorf("%v: exit code %d:\n%s", args, code, out.String())
				}
			}
		})
	}
}

func TestListenAddresses(t *testing.T) {
	for addr, want := range map[string]bool{
		"": true, ":8080": true, "127.0.0.1:8080": true, "[::1]:0": true, "localhost:65535": true,
		"8080": false, "127.0.0.1": false, "127.0.0.1:99999": false, "foo:bar:baz": false, ":http": false, "host:": false,
	} {
		var p problems
		if (interactionSettings{Gateway: "on", HTTPAddr: addr}).check(&p, &service.Options{}); (len(p) == 0) != want {
			t.Errorf("%q is taken: %v, want %v", addr, len(p) == 0, want)
		}
	}
}

// TestEnvExampleListsExactlyWhatIsRead compares the example with the command line.
func TestEnvExampleListsExactlyWhatIsRead(t *testing.T) {
	text, err := os.ReadFile("../../.env.example")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, match := range regexp.MustCompile(`(?m)^#? ?([A-Z][A-Z_]+)=`).FindAllStringSubmatch(string(text), -1) {
		listed = append(listed, match[1])
	}
	slices.Sort(listed)
	if want := settingNames(); !slices.Equal(listed, want) {
		t.Errorf(".env.example lists %v\nthe program reads %v", listed, want)
	}
}

func TestReadmeNamesEverySetting(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range settingNames() {
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("README.md does not name %s", name)
		}
	}
}

func TestVersionAndHelp(t *testing.T) {
	code, out := inProcess(t, nil, "--version")
	if code != exitOK || !strings.Contains(out, "go1.") {
		t.Errorf("exit code %d: %s", code, out)
	}
	code, out = inProcess(t, nil, "--help")
	if code != exitOK || !strings.Contains(out, "sandbox") {
		t.Errorf("exit code %d: %s", code, out)
	}
	code, out = inProcess(t, nil, "dance")
	if code != exitUsage {
		t.Errorf("exit code %d for an unknown command: %s", code, out)
	}
}

func TestHealthWithoutABot(t *testing.T) {
	if code, _ := inProcess(t, nil, "health"); code != exitUsage {
		t.Errorf("exit code %d without an address, want %d", code, exitUsage)
	}
	if code, _ := inProcess(t, []string{"HTTP_ADDR=127.0.0.1:1"}, "health"); code != exitError {
		t.Errorf("exit code %d where nothing listens, want %d", code, exitError)
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url) //nolint:gosec // an address of this test
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
