package sandbox_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/rules"
)

// command is a slash command of that name with changes; a nil change removes a field.
func command(name string, changes ...obj) obj {
	c := obj{"name": name, "description": "d"}
	for _, m := range changes {
		for k, v := range m {
			if v == nil {
				delete(c, k)
			} else {
				c[k] = v
			}
		}
	}
	return c
}

func option(kind int, name string, changes ...obj) obj {
	o := command(name, changes...)
	o["type"] = kind
	return o
}

func withOptions(list ...any) obj { return command("c", obj{"options": list}) }

func optionsNamed(n int) arr {
	out := arr{}
	for i := range n {
		out = append(out, option(3, fmt.Sprint("o", i)))
	}
	return out
}

func choices(n int) arr {
	out := arr{}
	for i := range n {
		out = append(out, obj{"name": fmt.Sprint(i), "value": fmt.Sprint(i)})
	}
	return out
}

// sized is a command of exactly n characters.
func sized(n int) obj {
	n -= 2 // name and description
	list := arr{}
	for i := 0; n > 0; i++ {
		op := option(3, fmt.Sprintf("o%02d", i))
		n -= 4
		cs := arr{}
		for j := 0; j < 25 && n > 1; j++ {
			value := min(n-1, 100)
			cs = append(cs, obj{"name": string(rune('a' + j)), "value": strings.Repeat("v", value)})
			n -= value + 1
		}
		op["choices"] = cs
		list = append(list, op)
	}
	return withOptions(list...)
}

func TestCommandLimits(t *testing.T) {
	const name, length, nested = "APPLICATION_COMMAND_INVALID_NAME", "BASE_TYPE_BAD_LENGTH", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"
	const exists = "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS"
	sub := func(list ...any) obj { return option(1, "sub", obj{"options": append(arr{}, list...)}) }
	group := func(list ...any) obj { return option(2, "group", obj{"options": append(arr{}, list...)}) }
	for _, c := range []struct {
		name      string
		good, bad obj
		want      string
	}{
		{"name", command(strings.Repeat("a", 32)), command(strings.Repeat("a", 33)), "name " + length},
		{"capital letters", command("größe-1_x'y"), command("Play"), "name " + name},
		{"spaces", command("三目並べ"), command("tic tac"), "name " + name},
		{"scripts", command("कखि"), command("a!"), "name " + name},
		{"description", command("c", obj{"description": long(100)}), command("c", obj{"description": long(101)}), "description " + length},
		{"missing description", command("c"), command("c", obj{"description": nil}), "description BASE_TYPE_REQUIRED"},
		{"context menu name", obj{"type": 2, "name": "Challenge to a game"}, obj{"type": 2, "name": strings.Repeat("a", 33)}, "name " + length},
		{"context menu description", obj{"type": 2, "name": "X", "description": ""}, obj{"type": 2, "name": "X", "description": "d"}, "description APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION"},
		{"type", command("c", obj{"type": 1}), command("c", obj{"type": 4}), "type BASE_TYPE_CHOICES"},
		{"options", withOptions(optionsNamed(25)...), withOptions(append(optionsNamed(25), option(3, "o0"))...), "options BASE_TYPE_MAX_LENGTH"},
		{"missing option type", withOptions(option(1, "o")), withOptions(command("o")), "options.0.type BASE_TYPE_REQUIRED"},
		{"option type", withOptions(option(11, "o")), withOptions(option(12, "o")), "options.0.type NUMBER_TYPE_MAX"},
		{"required first", withOptions(option(3, "a", obj{"required": true}), option(3, "b")), withOptions(option(3, "a"), option(3, "b", obj{"required": true})), "options.1 APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID"},
		{"same option name", withOptions(option(3, "a"), option(3, "b")), withOptions(option(3, "a"), option(3, "a")), "options.1.name " + exists},
		{"localized name meets a default name", withOptions(option(3, "a", obj{"name_localizations": obj{"de": "c"}}), option(3, "b")), withOptions(option(3, "a", obj{"name_localizations": obj{"de": "b"}}), option(3, "b")), "options.0.name_localizations.de " + exists},
		{"two localized names", withOptions(option(3, "a", obj{"name_localizations": obj{"de": "x"}}), option(3, "b", obj{"name_localizations": obj{"fr": "x"}})), withOptions(option(3, "a", obj{"name_localizations": obj{"de": "x"}}), option(3, "b", obj{"name_localizations": obj{"de": "x"}})), "options.1.name_localizations.de " + exists},
		{"locale", command("c", obj{"name_localizations": obj{"pt-BR": "x", "ar": "y"}}), command("c", obj{"name_localizations": obj{"pt": "x"}}), "name_localizations.pt ENUM_TYPE_COERCE"},
		{"localized name", command("c", obj{"name_localizations": obj{"de": "spiel", "fr": nil}}), command("c", obj{"name_localizations": obj{"de": "Spiel"}}), "name_localizations.de " + name},
		{"localized description", command("c", obj{"description_localizations": obj{"de": long(100)}}), command("c", obj{"description_localizations": obj{"de": long(101)}}), "description_localizations.de " + length},
		{"choices", withOptions(option(3, "o", obj{"choices": choices(25)})), withOptions(option(3, "o", obj{"choices": choices(26)})), "options.0.choices BASE_TYPE_MAX_LENGTH"},
		{"choice name", withOptions(option(3, "o", obj{"choices": arr{obj{"name": long(100), "value": "v"}}})), withOptions(option(3, "o", obj{"choices": arr{obj{"name": long(101), "value": "v"}}})), "options.0.choices.0.name " + length},
		{"choice value", withOptions(option(3, "o", obj{"choices": arr{obj{"name": "n", "value": long(100)}}})), withOptions(option(3, "o", obj{"choices": arr{obj{"name": "n", "value": long(101)}}})), "options.0.choices.0.value " + length},
		{"choice of a number", withOptions(option(4, "o", obj{"choices": arr{obj{"name": "n", "value": 3}}})), withOptions(option(4, "o", obj{"choices": arr{obj{"name": "n", "value": "3"}}})), "options.0.choices.0.value NUMBER_TYPE_COERCE"},
		{"choices of a boolean", withOptions(option(5, "o", obj{"choices": arr{}, "autocomplete": false, "channel_types": nil})), withOptions(option(5, "o", obj{"choices": choices(1)})), "options.0.choices APPLICATION_COMMAND_OPTIONS_FIELD_INVALID"},
		{"autocomplete", withOptions(option(3, "o", obj{"autocomplete": true})), withOptions(option(3, "o", obj{"autocomplete": true, "choices": choices(1)})), "options.0.autocomplete APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_CHOICES"},
		{"min length", withOptions(option(3, "o", obj{"min_length": 6000})), withOptions(option(3, "o", obj{"min_length": 6001})), "options.0.min_length NUMBER_TYPE_MAX"},
		{"max length", withOptions(option(3, "o", obj{"max_length": 1})), withOptions(option(3, "o", obj{"max_length": 0})), "options.0.max_length NUMBER_TYPE_MIN"},
		{"min and max", withOptions(option(4, "o", obj{"min_value": 3, "max_value": 3})), withOptions(option(4, "o", obj{"min_value": 4, "max_value": 3})), "options.0.min_value APPLICATION_COMMAND_OPTIONS_MIN_EXCEEDS_MAX"},
		{"whole bounds", withOptions(option(10, "o", obj{"min_value": 0.5})), withOptions(option(4, "o", obj{"min_value": 0.5})), "options.0.min_value NUMBER_TYPE_COERCE"},
		{"the largest bound", withOptions(option(4, "o", obj{"max_value": rules.MaxOptionInteger})), withOptions(option(4, "o", obj{"max_value": rules.MaxOptionInteger + 1})), "options.0.max_value NUMBER_TYPE_COERCE"},
		{"the smallest bound", withOptions(option(4, "o", obj{"min_value": -rules.MaxOptionInteger})), withOptions(option(4, "o", obj{"min_value": -rules.MaxOptionInteger - 1})), "options.0.min_value NUMBER_TYPE_COERCE"},
		{"the largest choice", withOptions(option(4, "o", obj{"choices": arr{obj{"name": "n", "value": rules.MaxOptionInteger}}})), withOptions(option(4, "o", obj{"choices": arr{obj{"name": "n", "value": rules.MaxOptionInteger + 1}}})), "options.0.choices.0.value NUMBER_TYPE_COERCE"},
		{"the smallest choice", withOptions(option(4, "o", obj{"choices": arr{obj{"name": "n", "value": -rules.MaxOptionInteger}}})), withOptions(option(4, "o", obj{"choices": arr{obj{"name": "n", "value": -rules.MaxOptionInteger - 1}}})), "options.0.choices.0.value NUMBER_TYPE_COERCE"},
		{"a choice of nothing", withOptions(option(4, "o", obj{"choices": arr{obj{"name": "n", "value": 0}}})), withOptions(option(4, "o", obj{"choices": arr{obj{"name": "n"}}})), "options.0.choices.0.value BASE_TYPE_REQUIRED"},
		{"min and max length", withOptions(option(3, "o", obj{"min_length": 3, "max_length": 3})), withOptions(option(3, "o", obj{"min_length": 4, "max_length": 3})), "options.0.min_length APPLICATION_COMMAND_OPTIONS_MIN_EXCEEDS_MAX"},
		{"group in a group", withOptions(group(sub(option(3, "o")))), withOptions(group(option(2, "deep", obj{"options": arr{}}))), "options.0.options.0.type " + nested},
		{"plain option in a group", withOptions(group(sub())), withOptions(group(option(3, "o"))), "options.0.options.0.type " + nested},
		{"subcommand beside an option", withOptions(sub(), group()), withOptions(sub(), option(3, "o")), "options.1 " + nested},
		{"subcommand in a subcommand", withOptions(sub(option(3, "o"))), withOptions(sub(sub())), "options.0.options.0.type " + nested},
		{"contexts", command("c", obj{"contexts": arr{0, 1}, "integration_types": arr{0}}), command("c", obj{"contexts": arr{2}, "integration_types": arr{0}}), "contexts APPLICATION_COMMAND_CONTEXT_NOT_ALLOWED"},
		{"no contexts", command("c", obj{"contexts": arr{2}, "integration_types": arr{0, 1}}), command("c", obj{"contexts": arr{}}), "contexts " + length},
		{"context", command("c", obj{"contexts": arr{0}}), command("c", obj{"contexts": arr{3}}), "contexts.0 ENUM_TYPE_COERCE"},
		{"integration types", command("c", obj{"integration_types": arr{1}}), command("c", obj{"integration_types": arr{0, 0}}), "integration_types SET_TYPE_ALREADY_CONTAINS_VALUE"},
		{"permissions", command("c", obj{"default_member_permissions": "8192"}), command("c", obj{"default_member_permissions": "admin"}), "default_member_permissions NUMBER_TYPE_COERCE"},
		{"permissions as a number", command("c", obj{"default_member_permissions": 8192}), command("c", obj{"default_member_permissions": -1}), "default_member_permissions NUMBER_TYPE_COERCE"},
		{"permissions of no bits", command("c", obj{"default_member_permissions": 0}), command("c", obj{"default_member_permissions": 0.5}), "default_member_permissions NUMBER_TYPE_COERCE"},
		{"8000 characters", sized(8000), sized(8001), " APPLICATION_COMMAND_TOO_LARGE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv := sandbox.NewServer(t, unlimited)
			for _, scope := range []string{"", "/guilds/" + srv.Guild().ID()} {
				if scope != "" && strings.HasPrefix(c.want, "contexts APPLICATION") {
					continue // guild commands ignore contexts
				}
				path := "/applications/" + srv.AppID() + scope + "/commands"
				want(t, request(t, srv, "POST", path, c.good), 201, 0)
				got := request(t, srv, "POST", path, c.bad)
				want(t, got, 400, 50035)
				if f := failures(got); !slices.Equal(f, []string{strings.TrimSpace(c.want)}) && !slices.Equal(f, []string{c.want}) {
					t.Errorf("got failures %q, want %q", f, c.want)
				}
				got = request(t, srv, "PUT", path, arr{c.bad})
				want(t, got, 400, 50035)
				if f := failures(got); len(f) != 1 || !strings.HasPrefix(f[0], "0") {
					t.Errorf("got failures %q, want one of element 0", f)
				}
			}
		})
	}
}

func TestCommandQuotas(t *testing.T) {
	many := func(kind, n int) arr {
		out := arr{}
		for i := range n {
			c := obj{"type": kind, "name": fmt.Sprint("c", i)}
			if kind == 1 {
				c["description"] = "d"
			}
			out = append(out, c)
		}
		return out
	}
	for _, c := range []struct {
		kind, quota int
	}{{1, 100}, {2, 15}, {3, 15}} {
		srv := sandbox.NewServer(t)
		path := "/applications/" + srv.AppID() + "/commands"
		want(t, request(t, srv, "PUT", path, many(c.kind, c.quota)), 200, 0)
		want(t, request(t, srv, "PUT", path, many(c.kind, c.quota+1)), 400, 30032)
		if got := len(srv.App().Commands("")); got != c.quota {
			t.Errorf("%d commands are left, want %d", got, c.quota)
		}
	}
	srv := sandbox.NewServer(t)
	path := "/applications/" + srv.AppID() + "/commands"
	got := request(t, srv, "PUT", path, arr{command("a"), command("a")})
	want(t, got, 400, 50035)
	if f := failures(got); !slices.Equal(f, []string{"1.name APPLICATION_COMMANDS_DUPLICATE_NAME"}) {
		t.Errorf("got failures %q", f)
	}
	want(t, request(t, srv, "PUT", path, arr{command("a"), obj{"type": 2, "name": "a"}, obj{"type": 2, "name": "b"}}), 200, 0)
	for _, c := range srv.App().Commands("") {
		if c.Name == "b" {
			got = request(t, srv, "PATCH", path+"/"+c.ID, obj{"name": "a"})
		}
	}
	want(t, got, 400, 50035)
	if f := failures(got); !slices.Equal(f, []string{"name APPLICATION_COMMANDS_DUPLICATE_NAME"}) {
		t.Errorf("got failures %q", f)
	}
}

func TestCommandCreatesADay(t *testing.T) {
	clock := clock.NewManual(rules.SnowflakeTime("1400000000000000000"))
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.World.Clock, o.REST.CommandCreates = clock, 3 })
	path := "/applications/" + srv.AppID() + "/commands"
	want(t, request(t, srv, "PUT", path, arr{command("a"), command("b"), command("c")}), 200, 0)
	want(t, request(t, srv, "PUT", path, arr{command("a", obj{"description": "new"}), command("b")}), 200, 0)
	want(t, request(t, srv, "POST", path, command("d")), 400, 30034)
	want(t, request(t, srv, "POST", path, command("b", obj{"description": "changed"})), 200, 0)
	clock.Advance(24 * 60 * 60 * 1e9)
	want(t, request(t, srv, "POST", path, command("d")), 201, 0)
}

func TestCommandsThroughDiscordgo(t *testing.T) {
	srv := sandbox.NewServer(t)
	s := srv.Session()
	guild := srv.Guild().ID()
	de := map[discordgo.Locale]string{discordgo.German: "spiel"}
	made, err := s.ApplicationCommandCreate(srv.AppID(), guild, &discordgo.ApplicationCommand{Name: "game", Description: "Play.", NameLocalizations: &de})
	if err != nil || made.ID == "" || made.GuildID != guild {
		t.Fatalf("create: %+v, %v", made, err)
	}
	edited, err := s.ApplicationCommandEdit(srv.AppID(), guild, made.ID, &discordgo.ApplicationCommand{Description: "Play a game.", Name: "game"})
	if err != nil || edited.ID != made.ID || edited.Version == made.Version || edited.Description != "Play a game." {
		t.Errorf("edit: %+v, %v", edited, err)
	}
	list, err := s.ApplicationCommands(srv.AppID(), guild)
	if err != nil || len(list) != 1 || (*list[0].NameLocalizations)[discordgo.German] != "spiel" {
		t.Errorf("list: %+v, %v", list, err)
	}
	again, err := s.ApplicationCommandBulkOverwrite(srv.AppID(), guild, list)
	if err != nil || again[0].ID != made.ID || again[0].Version != edited.Version {
		t.Errorf("overwriting with the same: %+v, %v; want the same id and version", again[0], err)
	}
	plain := request(t, srv, "GET", "/applications/"+srv.AppID()+"/guilds/"+guild+"/commands", nil)
	if strings.Contains(string(plain.Body), "spiel") {
		t.Errorf("translations are listed unasked: %s", plain.Body)
	}
	if _, err := s.ApplicationCommandBulkOverwrite(srv.AppID(), guild, nil); err != nil { // sends null
		t.Errorf("clear: %v", err)
	}
	if got := len(srv.App().Commands(guild)); got != 0 {
		t.Errorf("%d commands are left", got)
	}
	if err := s.ApplicationCommandDelete(srv.AppID(), guild, made.ID); err == nil {
		t.Error("deleting a command twice was accepted")
	}
	want(t, request(t, srv, "GET", "/applications/1/commands", nil), 403, 50001)
	srv.Guild().RemoveBot()
	want(t, request(t, srv, "GET", "/applications/"+srv.AppID()+"/guilds/"+guild+"/commands", nil), 403, 50001)
}

// TestBulkCommands registers as many commands at once as Discord takes.
func TestBulkCommands(t *testing.T) {
	srv := sandbox.NewServer(t, unlimited)
	list := arr{}
	for i := range 100 {
		list = append(list, command(fmt.Sprint("slash", i)))
	}
	for i := range 15 {
		list = append(list, obj{"type": 2, "name": fmt.Sprint("user", i)}, obj{"type": 3, "name": fmt.Sprint("message", i)})
	}
	path := "/applications/" + srv.AppID() + "/commands"
	want(t, request(t, srv, "PUT", path, list), 200, 0)
	got := request(t, srv, "PUT", path, append(list, command("one-more")))
	want(t, got, 400, 50035)
	if f := failures(got); !slices.Equal(f, []string{" BASE_TYPE_MAX_LENGTH"}) {
		t.Errorf("got failures %q", f)
	}
	want(t, request(t, srv, "PUT", path, command("one")), 400, 50035) // no list
	if n := len(srv.App().Commands("")); n != 130 {
		t.Errorf("%d commands are registered", n)
	}
}

// TestOutsideOfDirectMessages: the deprecated dm_permission counts where there are no contexts,
// which then stay null (recorded answers with false).
func TestOutsideOfDirectMessages(t *testing.T) {
	srv := sandbox.NewServer(t)
	ada, general := srv.User("Ada"), srv.Guild().Channel("general")
	offers := func(c *sandbox.Channel, path string) bool {
		_, err := ada.Prepare(sandbox.SlashCommand{Channel: c, Path: path})
		return err == nil
	}
	at := "/applications/" + srv.AppID() + "/commands"
	var made struct {
		ID       string
		InDMs    bool `json:"dm_permission"`
		Contexts []int
	}
	check := func(got answer, inDMs bool, contexts ...int) {
		t.Helper()
		got.Decode(t, &made)
		if made.InDMs != inDMs || !slices.Equal(made.Contexts, contexts) {
			t.Errorf("got %+v", made)
		}
		if !offers(general, "ping") || offers(ada.DM(), "ping") != inDMs {
			t.Errorf("in a guild %v, by direct messages %v", offers(general, "ping"), offers(ada.DM(), "ping"))
		}
	}
	check(request(t, srv, "POST", at, obj{"name": "ping", "description": "d", "dm_permission": false}), false)
	check(request(t, srv, "PATCH", at+"/"+made.ID, obj{"description": "e"}), false)
	check(request(t, srv, "PATCH", at+"/"+made.ID, obj{"dm_permission": true}), true)
	check(request(t, srv, "PATCH", at+"/"+made.ID, obj{"contexts": arr{0, 1}, "dm_permission": false}), true, 0, 1)
	check(request(t, srv, "PATCH", at+"/"+made.ID, obj{"contexts": arr{0}}), false, 0)
	check(request(t, srv, "PATCH", at+"/"+made.ID, obj{"contexts": nil}), true)
}
