package postgres_test

import (
	"context"
	"strings"
	"testing"

	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
)

// TestOpenWaitsForOlderProcesses: tables on which a process of the version before plays are
// not changed under it. Who waits says for which one, until that has stopped, or is gone for
// half a minute.
func TestOpenWaitsForOlderProcesses(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]string{
		"stopped": "DELETE FROM leases WHERE owner = 'old'",
		"killed":  "UPDATE leases SET ends = now() - interval '22 seconds' WHERE owner = 'old'",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := postgrestest.URL(t)
			if err := postgres.MigrateTo(t.Context(), address, 35); err != nil {
				t.Fatal(err)
			}
			postgrestest.Exec(t, address, "INSERT INTO leases (name, owner, ends) VALUES ('player old', 'old', now() - interval '10 seconds')")
			told, opened := make(chan string, 9), make(chan error, 1)
			go func() {
				s, err := postgres.Open(context.Background(), address, patient(), postgres.WithWaiting(func(p string) { told <- p }))
				if err == nil {
					err = s.Close()
				}
				opened <- err
			}()
			var process string
			waittest.Until(t, "it to say for whom it waits", func() bool {
				select {
				case process = <-told:
					return true
				default:
					return false
				}
			})
			if !strings.HasPrefix(process, "a process") {
				t.Errorf("it waits for %q", process)
			}
			var version int
			postgrestest.Scan(t, address, "SELECT max(version_id) FROM tictactoe_schema", &version)
			if version != 35 || len(opened) > 0 {
				t.Errorf("the tables are of version %d while it waits", version)
			}
			postgrestest.Exec(t, address, end)
			if err := <-opened; err != nil {
				t.Error(err)
			}
		})
	}
}
