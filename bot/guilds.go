package bot

import (
	"context"
	"tictactoe/bot/customid"
	"time"

	"tictactoe/bot/view"
	"tictactoe/store"
)

// guilds are what counts in a guild, and who leads there.
type guilds struct {
	kit    *kit
	change *changer
	store  guildsStore

	// lastIncident returns when something last failed in the guild, and its number.
	lastIncident func(guild store.GuildID, now time.Time) (at time.Time, number string)
	// forget erases what is kept about guilds whose managers want that.
	forget func(ctx context.Context)
	// streaks reads a page of the streaks of puzzles that go on in the guild.
	streaks func(ctx context.Context, in *request, page int) (view.PuzzleStreaks, error)
}

type guildsStore interface {
	store.People
	store.Results
	Puzzler(ctx context.Context, user store.UserID) (store.Puzzler, error)
	ForgetGuild(ctx context.Context, app store.ApplicationID, guild store.GuildID) error
	Check(ctx context.Context) error
}

// routes are what is set and shown in a guild.
func (b *guilds) routes() routes {
	standing, admin := standings{b}, admins{b}
	return routes{
		command("stats"):                         {Handle: standing.stats},
		command("leaderboard"):                   {Handle: standing.leaderboard},
		command(view.AdminCommand + " settings"): {Handle: admin.show},
		command(view.AdminCommand + " check"):    {Handle: admin.check},
		command(view.AdminCommand + " lobby"):    {Handle: admin.lobby},

		button(customid.ShowStats):     {Handle: standing.showStats, Stores: true},
		button(customid.Leaderboard):   {Handle: standing.turn},
		button(customid.Standings):     {Handle: standing.turn},
		button(customid.StandingsKind): {Handle: standing.choose},
		button(customid.HowPoints):     {Handle: standing.howPoints},

		button(customid.SettingsPage):   {Handle: admin.turn},
		button(customid.Setting):        {Handle: admin.set, Stores: true},
		button(customid.BeginAnew):      {Handle: admin.askToBeginAnew},
		button(customid.BeginAnewSure):  {Handle: admin.beginAnew, Stores: true},
		button(customid.KeepStandings):  {Handle: admin.keepStandings},
		button(customid.EraseGuildAsk):  {Handle: admin.askToErase},
		button(customid.EraseGuildSure): {Handle: admin.askToErase},
		button(customid.EraseGuild):     {Handle: admin.erase, Stores: true},

		button(customid.LobbyLeaders): {Handle: standing.leaderboard},
	}
}
