// Package guilds is what counts in a guild: settings, a check, the lobby, and who leads there.
package guilds

import (
	"context"
	"time"

	"tictactoe/bot/change"
	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// Guilds are what counts in a guild, and who leads there.
type Guilds struct {
	Kit    *kit.Kit
	Change *change.Changer
	Store  guildsStore

	InContainer bool // what is stored goes with the container that the bot is in

	// LastIncident returns when something last failed in the guild, and its number.
	LastIncident func(guild store.GuildID, now time.Time) (at time.Time, number string)
	// Forget erases what is kept about guilds whose managers want that.
	Forget func(ctx context.Context)
	// PostPuzzle posts today's puzzle at once where the guild wants it, and returns what came
	// of that.
	PostPuzzle func(ctx context.Context, in *kit.Request) (discord.Message, error)
}

type guildsStore interface {
	store.People
	store.Results
	store.Lobbies
	store.Puzzles
	ForgetGuild(ctx context.Context, app store.ApplicationID, guild store.GuildID) error
	Check(ctx context.Context) error
}

// Routes are what is set and shown in a guild.
func (b *Guilds) Routes() kit.Routes {
	standing, admin := standings{b}, admins{b}
	return kit.Routes{
		kit.Command("stats"):                         {Handle: standing.stats},
		kit.Command("leaderboard"):                   {Handle: standing.leaderboard},
		kit.Command(view.AdminCommand + " settings"): {Handle: managed(admin.show)},
		kit.Command(view.AdminCommand + " check"):    {Handle: byManagers(admin.check)},
		kit.Command(view.AdminCommand + " lobby"):    {Handle: managed(admin.lobby)},

		kit.Button(customid.ShowStats):     {Handle: standing.showStats, Stores: true},
		kit.Button(customid.Leaderboard):   {Handle: standing.turn},
		kit.Button(customid.Standings):     {Handle: standing.turn},
		kit.Button(customid.StandingsKind): {Handle: standing.choose},
		kit.Button(customid.ShowStandings): {Handle: standing.showHere, Stores: true},
		kit.Button(customid.HowPoints):     {Handle: standing.howPoints},
		kit.Button(customid.PuzzleStreaks): {Handle: standing.streaks},

		kit.Button(customid.SettingsTab):    {Handle: managed(admin.turn)},
		kit.Button(customid.SettingsPage):   {Handle: managed(admin.turn)},
		kit.Button(customid.PostPuzzle):     {Handle: managed(admin.postPuzzle), Stores: true},
		kit.Button(customid.PostLobby):      {Handle: managed(admin.lobby)},
		kit.Button(customid.CheckHere):      {Handle: byManagers(admin.check)},
		kit.Button(customid.Setup):          {Handle: managed(admin.answer), Stores: true},
		kit.Button(customid.SetupChannel):   {Handle: managed(admin.answer), Stores: true},
		kit.Button(customid.Setting):        {Handle: managed(admin.set), Stores: true},
		kit.Button(customid.BeginAnew):      {Handle: managed(admin.askToBeginAnew)},
		kit.Button(customid.BeginAnewSure):  {Handle: kit.OnPrivate(managed(admin.beginAnew)), Stores: true},
		kit.Button(customid.KeepStandings):  {Handle: b.Kit.Noted(view.StandingsKept)},
		kit.Button(customid.EraseGuildAsk):  {Handle: managed(admin.askToErase)},
		kit.Button(customid.EraseGuildSure): {Handle: managed(admin.askToErase)},
		kit.Button(customid.EraseGuild):     {Handle: kit.OnPrivate(managed(admin.erase)), Stores: true},

		kit.Button(customid.LobbyLeaders): {Handle: standing.leaderboard},
	}
}
