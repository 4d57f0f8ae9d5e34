package discord

import (
	"fmt"
	"strings"
	"testing"
)

// TestReach: an interaction tells whether the bot is where it comes from, also where Discord
// leaves out what need not be there.
func TestReach(t *testing.T) {
	const guild, member, user = `"guild_id":"201",`, `"member":{"user":{"id":"101"},"permissions":"%d"},`, `"user":{"id":"101"},`
	everybody := fmt.Sprintf(member, uint64(PermissionExternalApps))
	for name, test := range map[string]struct {
		envelope            string
		absent, alone, kept bool
	}{
		"guild":                        {guild + everybody + `"context":0,"authorizing_integration_owners":{"0":"201"}`, false, false, false},
		"guild and person":             {guild + everybody + `"context":0,"authorizing_integration_owners":{"0":"201","1":"101"}`, false, false, false},
		"guild without the bot":        {guild + everybody + `"context":0,"authorizing_integration_owners":{"1":"101"}`, true, false, false},
		"guild with the commands only": {guild + everybody + `"context":0,"app_permissions":"562949953863680","authorizing_integration_owners":{"0":"201"}`, true, false, false},
		"its member without apps":      {guild + fmt.Sprintf(member, 1024) + `"context":0,"app_permissions":"562949953863680","authorizing_integration_owners":{"0":"201"}`, true, false, false},
		"channel kept from the bot":    {guild + everybody + `"context":0,"app_permissions":"98304","authorizing_integration_owners":{"0":"201"}`, false, false, false},
		"all of it kept from the bot":  {guild + everybody + `"context":0,"app_permissions":"0","authorizing_integration_owners":{"0":"201"}`, false, false, false},
		"channel that the bot sees":    {guild + everybody + `"context":0,"app_permissions":"1024","authorizing_integration_owners":{"0":"201"}`, false, false, false},
		"bot that may do everything":   {guild + everybody + `"context":0,"app_permissions":"8","authorizing_integration_owners":{"0":"201"}`, false, false, false},
		"permissions that are none":    {guild + everybody + `"context":0,"app_permissions":"x","authorizing_integration_owners":{"0":"201"}`, false, false, false},
		"guild that keeps apps out":    {guild + fmt.Sprintf(member, 1024) + `"context":0,"authorizing_integration_owners":{"1":"101"}`, true, false, true},
		"its administrator":            {guild + fmt.Sprintf(member, 8) + `"context":0,"authorizing_integration_owners":{"1":"101"}`, true, false, false},
		"keeps apps out, has the bot":  {guild + fmt.Sprintf(member, 1024) + `"context":0,"authorizing_integration_owners":{"0":"201"}`, false, false, false},
		"guild of which nothing said":  {guild + everybody + `"context":0`, false, false, false},
		"guild with owners of no kind": {guild + everybody + `"authorizing_integration_owners":{}`, false, false, false},
		"bot":                          {user + `"context":1,"authorizing_integration_owners":{"0":"0"}`, false, true, false},
		"bot, by a person":             {user + `"context":1,"authorizing_integration_owners":{"1":"101"}`, false, true, false},
		"bot, nothing said":            {user + `"locale":"de"`, false, true, false},
		"person":                       {user + `"context":2,"authorizing_integration_owners":{"1":"101"}`, true, false, false},
		"person, no context":           {user + `"authorizing_integration_owners":{"1":"101"}`, true, false, false},
		"group":                        {user + `"context":2,"channel":{"id":"301","type":3,"owner_id":"102","name":null},"authorizing_integration_owners":{"1":"102"}`, true, false, false},
		"group by its channel alone":   {user + `"channel":{"id":"301","type":3}`, true, false, false},
	} {
		in := decoded(t, `{"id":"1","token":"t","type":2,"channel_id":"301",`+test.envelope+`,"data":{"name":"tictactoe","type":1}}`)
		if want := strings.Contains(test.envelope, `"0":"201"`); in.Installed != want {
			t.Errorf("%s: installed %v", name, in.Installed)
		}
		if in.BotAbsent != test.absent || in.AloneWithBot() != test.alone || in.KeptPrivate() != test.kept {
			t.Errorf("%s: absent %v, alone %v, kept private %v", name, in.BotAbsent, in.AloneWithBot(), in.KeptPrivate())
		}
	}
	group := decoded(t, `{"id":"1","token":"t","type":2,"channel_id":"301","user":{"id":"101"},"context":2,
		"channel":{"id":"301","type":3,"owner_id":"102","name":null},"data":{"name":"tictactoe","type":1}}`)
	if len(group.Recipients) > 0 || !group.Group {
		t.Errorf("recipients %v, a group %v", group.Recipients, group.Group)
	}
	pair := decoded(t, `{"id":"1","token":"t","type":2,"channel_id":"301","user":{"id":"101"},"context":2,
		"channel":{"id":"301","type":1,"recipients":[{"id":"102"}]},"data":{"name":"tictactoe","type":1}}`)
	if len(pair.Recipients) != 1 || pair.Recipients[0] != "102" || pair.Group {
		t.Errorf("recipients %v, a group %v", pair.Recipients, pair.Group)
	}
	away := decoded(t, `{"id":"1","token":"t","type":2,"guild_id":"201","channel_id":"301","channel":{"id":"301","type":0},
		"member":{"user":{"id":"101"},"permissions":"0"},"authorizing_integration_owners":{"1":"101"},"data":{"name":"tictactoe","type":1}}`)
	if away.TextChannel {
		t.Error("threads are begun where the bot is absent")
	}
}
