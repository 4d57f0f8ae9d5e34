package view

import (
	"time"

	"tictactoe/bot/discord"
)

// Check is what the bot can do in a channel, and how it fares.
type Check struct {
	May func(permission uint64) bool
	// Thread says that the channel is a thread, Text that threads can be begun in it.
	Thread, Text bool
	// Invite is where the bot is added to the guild, which has its commands alone; empty where
	// the bot is a member.
	Invite string
	// Connected says that clicks reach the bot, Saves that the store takes changes.
	Connected, Saves bool
	// Dots says that Discord refuses blank labels, Captions that it changes the numbers of
	// components.
	Dots, Captions bool
	// InContainer says that what is saved goes with the container that the bot is in.
	InContainer bool
	// Failed is when something last failed in the guild, with the number that somebody was
	// told; the zero time for never, as far as that is remembered.
	Failed   time.Time
	Incident string
}

// right is a permission that the bot makes use of.
type right struct {
	bit    uint64
	name   string // key of what Discord calls it
	needed string // key of what it is for
	lost   string // key of what suffers without it
	here   func(Check) bool
}

var rights = []right{
	{discord.PermissionViewChannel, "right.view", "right.view_for", "right.view_lost", func(Check) bool { return true }},
	{discord.PermissionSendMessages, "right.send", "right.send_for", "right.send_lost", func(c Check) bool { return !c.Thread }},
	{discord.PermissionCreateThreads, "right.threads", "right.threads_for", "right.threads_lost", func(c Check) bool { return c.Text }},
	{discord.PermissionSendInThreads, "right.in_threads", "right.in_threads_for", "right.in_threads_lost", func(c Check) bool { return c.Text || c.Thread }},
}

// named returns the names of permissions, one behind the other, each marked as a name.
func (w Words) named(bits uint64) (names string) {
	for _, r := range rights {
		if r.bit&bits == 0 {
			continue
		}
		name := w.say("right.named", args{"Name": w.say(r.name, nil)})
		if names != "" {
			name = w.say("right.and", args{"First": names, "Then": name})
		}
		names = name
	}
	return names
}

// lacking tells which permissions are missing, what for, and how they are granted.
func (w Words) lacking(bits uint64) string {
	var lines []string
	for _, r := range rights {
		if r.bit&bits != 0 {
			lines = append(lines, w.say("check.right", args{"Mark": "❌", "Name": w.say(r.name, nil), "Text": w.say(r.lost, nil)}))
		}
	}
	return stacked(append(lines, w.say("check.grant", nil))...)
}

// Check tells privately what the bot may and may not do in a channel, what suffers from
// that and how it is mended, and whether all is well otherwise.
func (v Settings) Check(c Check) discord.Message {
	var may []string
	missing := false
	for _, r := range rights {
		if !r.here(c) {
			continue
		}
		mark, says := "✅", r.needed
		if !c.May(r.bit) {
			mark, says, missing = "❌", r.lost, true
		}
		may = append(may, v.say("check.right", args{"Mark": mark, "Name": v.say(r.name, nil), "Text": v.say(says, nil)}))
	}
	all := either(missing, "check.grant", "check.all")
	may = append(may, v.say(either(c.Invite != "", "refused.absent", all), args{"Link": c.Invite}))
	line := func(holds bool, mark, key string) string {
		return when(holds, mark+" "+v.say(key, args{"Time": timestamp(c.Failed, 'R'), "Incident": c.Incident}))
	}
	return panel(
		discord.TextDisplay(v.say("check.head", nil)),
		discord.TextDisplay(stacked(may...)),
		discord.Separator(),
		discord.TextDisplay(stacked(
			line(c.Connected, "✅", "check.connected"),
			line(!c.Connected, "❌", "check.cut_off"),
			line(c.Saves, "✅", "check.saves"),
			line(!c.Saves, "❌", "check.saves_nothing"),
			line(c.InContainer, "⚠️", "check.in_container"),
			line(c.Dots, "⚠️", "check.blank_labels"),
			line(c.Captions, "⚠️", "check.changed_numbers"),
			line(c.Failed.IsZero(), "✅", "check.no_incident"),
			line(!c.Failed.IsZero(), "⚠️", "check.incident"),
		)),
	)
}
