package host

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"tictactoe/bot/sandbox/api"
)

// variable is one that a bot finds its way with.
type variable struct{ name, value string }

// variables are what a bot needs to connect, by the names under which libraries,
// their guides and templates look for it.
func (h *Host) variables() []variable {
	srv := h.Server
	root := srv.PublicURL()
	base := root + strings.TrimPrefix(srv.APIURL(), srv.URL())
	guild := srv.Guild()
	var vars []variable
	for _, v := range []struct{ names, value string }{
		{"DISCORD_TOKEN DISCORD_BOT_TOKEN BOT_TOKEN TOKEN", srv.Token()},
		{"DISCORD_API_URL", base},
		{"DISCORD_API_BASE", strings.TrimSuffix(base, "/v10")},
		{"DISCORD_GATEWAY_URL", strings.Replace(srv.Gateway().URL(), strings.TrimPrefix(srv.URL(), "http"), strings.TrimPrefix(root, "http"), 1)},
		{"DISCORD_APPLICATION_ID DISCORD_CLIENT_ID APP_ID CLIENT_ID", srv.AppID()},
		{"DISCORD_PUBLIC_KEY PUBLIC_KEY", srv.PublicKey()},
		{"DISCORD_GUILD_ID GUILD_ID", guild.ID()},
	} {
		for name := range strings.FieldsSeq(v.names) {
			vars = append(vars, variable{name, v.value})
		}
	}
	if channels := guild.Channels(); len(channels) > 0 {
		vars = append(vars, variable{"DISCORD_CHANNEL_ID", channels[0].ID()})
	}
	for i, a := range srv.World().Apps()[1:] {
		n := strconv.Itoa(i + 2)
		vars = append(vars, variable{"DISCORD_TOKEN_" + n, a.Token()}, variable{"DISCORD_APPLICATION_ID_" + n, a.ID()})
	}
	return append(vars, variable{"SANDBOX_URL", root + api.Base}, variable{"SANDBOX_KEY", h.config.key})
}

// forShell writes variables so that a shell can read them in.
func forShell(vars []variable) string {
	var b strings.Builder
	for _, v := range vars {
		fmt.Fprintf(&b, "export %s='%s'\n", v.name, strings.ReplaceAll(v.value, "'", `'\''`))
	}
	return b.String()
}

// asJSON writes variables as one object.
func asJSON(vars []variable) string {
	o := map[string]string{}
	for _, v := range vars {
		o[v.name] = v.value
	}
	b, _ := json.Marshal(o) // strings always encode
	return string(b)
}

// forPeople writes variables so that somebody can copy them. Of several names for the
// same the first is enough.
func forPeople(vars []variable, pageURL, program string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "A local Discord for your bot. Its page: %s\nYour bot needs (--env prints all of it for a shell, --json as JSON):\n\n", pageURL)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	seen := map[string]bool{}
	for _, v := range vars {
		if !seen[v.value] {
			fmt.Fprintf(w, "  %s\t%s\n", v.name, v.value)
		}
		seen[v.value] = true
	}
	_ = w.Flush() // a builder does not fail
	fmt.Fprintf(&b, "\nOr let it be started with them: %s -- npm start\nPress Ctrl+C to stop.\n", program)
	return b.String()
}
