package sandbox_test

import (
	"testing"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/internal/apitest"
)

// Short names for what the tables are full of.
type (
	obj    = apitest.Obj
	arr    = apitest.Arr
	answer = apitest.Answer
)

var (
	connect                 = apitest.Connect
	request, newRequest, do = apitest.Request, apitest.NewRequest, apitest.Do
	want                    = apitest.Want
	btn, row, v2            = apitest.Button, apitest.Row, apitest.V2
)

// register registers commands for all guilds by discordgo.
func register(t *testing.T, srv *sandbox.Server, cmds ...*discordgo.ApplicationCommand) []*discordgo.ApplicationCommand {
	t.Helper()
	out, err := srv.Session().ApplicationCommandBulkOverwrite(srv.AppID(), "", cmds)
	if err != nil {
		t.Fatalf("register: %v", err)
	}
	return out
}
