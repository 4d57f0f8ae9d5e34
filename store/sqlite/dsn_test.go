package sqlite_test

import (
	"testing"

	"tictactoe/store/sqlite"
)

// TestFileURI checks the names under which SQLite is asked for a file, on systems that
// this test need not run on.
func TestFileURI(t *testing.T) {
	for _, c := range []struct{ goos, path, want string }{
		{"linux", "/var/lib/games.db", "file:///var/lib/games.db"},
		{"darwin", "/Users/ada/Library/my games.db", "file:///Users/ada/Library/my%20games.db"},
		{"linux", "/tmp/100%?#.db", "file:///tmp/100%25%3F%23.db"},
		{"linux", `/tmp/C:\x.db`, "file:///tmp/C:%5Cx.db"},
		{"linux", "//tmp/games.db", "file:////tmp/games.db"},
		{"windows", `C:\Users\Ada\games.db`, "file:///C:/Users/Ada/games.db"},
		{"windows", `c:\my games\100%.db`, "file:///c:/my%20games/100%25.db"},
		{"windows", `\\server\share\games.db`, "file:////server/share/games.db"},
		{"windows", `\\?\C:\very\long\games.db`, "file:///C:/very/long/games.db"},
		{"windows", `\\?\UNC\server\share\games.db`, "file:////server/share/games.db"},
	} {
		if got := sqlite.FileURI(c.goos, c.path); got != c.want {
			t.Errorf("%s: %s is %s, want %s", c.goos, c.path, got, c.want)
		}
	}
}
