package sandbox

// Permission bits that matter here, as specified by Discord's documentation.
const (
	PermissionAdministrator         = 1 << 3
	PermissionViewChannel           = 1 << 10
	PermissionSendMessages          = 1 << 11
	PermissionManageMessages        = 1 << 13
	PermissionEmbedLinks            = 1 << 14
	PermissionAttachFiles           = 1 << 15
	PermissionReadMessageHistory    = 1 << 16
	PermissionMentionEveryone       = 1 << 17
	PermissionUseExternalEmojis     = 1 << 18
	PermissionUseCommands           = 1 << 31
	PermissionSendMessagesInThreads = 1 << 38
	PermissionUseExternalApps       = 1 << 50
)

// memberPermissions are what everybody may do, in a channel without overwrites.
const memberPermissions int64 = PermissionViewChannel | PermissionSendMessages | PermissionEmbedLinks |
	PermissionAttachFiles | PermissionReadMessageHistory | PermissionUseExternalEmojis |
	PermissionUseCommands | PermissionSendMessagesInThreads | PermissionUseExternalApps

// Guild is a guild: channels, members, and the bot unless it was removed.
type Guild struct {
	srv *Server
	id  string

	name     string
	locale   string
	botIn    bool
	channels []*Channel
	members  []*User
	deleted  bool
	// noExternalApps makes answers of user-installed applications private.
	noExternalApps bool
}

// Guild returns the default guild, whose members are all people made by User.
func (s *Server) Guild() *Guild {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.guilds[0]
}

// Guilds lists the guilds in the order they were made, deleted ones left out.
func (s *Server) Guilds() []*Guild {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*Guild
	for _, g := range s.guilds {
		if !g.deleted {
			out = append(out, g)
		}
	}
	return out
}

// AddGuild makes another guild with the bot in it and no people yet; see User.Join.
func (s *Server) AddGuild(name string) *Guild {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.addGuild(name)
	s.publishLocked(Event{Kind: EventGuildsChanged})
	s.guildCreateLocked(g)
	return g
}

func (s *Server) addGuild(name string) *Guild {
	g := &Guild{srv: s, id: s.newID(), name: name, locale: "en-US", botIn: !s.opt.UserInstallOnly}
	s.guilds = append(s.guilds, g)
	return g
}

// ID is the guild's snowflake.
func (g *Guild) ID() string { return g.id }

// Name is the guild's name.
func (g *Guild) Name() string { return g.name }

// Locale is the guild's preferred locale, "en-US" at first.
func (g *Guild) Locale() string {
	g.srv.mu.Lock()
	defer g.srv.mu.Unlock()
	return g.locale
}

// SetLocale changes the guild's preferred locale.
func (g *Guild) SetLocale(locale string) {
	g.srv.mu.Lock()
	defer g.srv.mu.Unlock()
	g.locale = locale
	g.srv.publishLocked(Event{Kind: EventGuildsChanged})
}

// HasBot reports whether the bot is a member.
func (g *Guild) HasBot() bool {
	g.srv.mu.Lock()
	defer g.srv.mu.Unlock()
	return g.botIn
}

// Members lists the people in the guild in the order they joined, without the bot.
func (g *Guild) Members() []*User {
	g.srv.mu.Lock()
	defer g.srv.mu.Unlock()
	return append([]*User(nil), g.members...)
}

// Channels lists the guild's channels and threads, deleted ones left out.
func (g *Guild) Channels() []*Channel {
	g.srv.mu.Lock()
	defer g.srv.mu.Unlock()
	var out []*Channel
	for _, c := range g.channels {
		if !c.deleted {
			out = append(out, c)
		}
	}
	return out
}

// RemoveBot kicks the bot: GUILD_DELETE is dispatched to sessions that asked for
// guilds, and the guild's routes answer 10004 or 50001 from now on.
func (g *Guild) RemoveBot() {
	s := g.srv
	s.mu.Lock()
	defer s.mu.Unlock()
	if !g.botIn {
		return
	}
	s.guildDeleteLocked(g)
	g.botIn = false
	s.publishLocked(Event{Kind: EventGuildsChanged})
}

// Delete deletes the guild with its channels: its routes answer 10004 and nobody
// can act in it any more. The default guild cannot be deleted, only left.
func (g *Guild) Delete() {
	s := g.srv
	s.mu.Lock()
	defer s.mu.Unlock()
	if g.deleted || g == s.guilds[0] {
		return
	}
	for _, c := range g.channels {
		s.deleteChannelLocked(c)
	}
	if g.botIn {
		s.guildDeleteLocked(g)
	}
	g.deleted, g.botIn, g.members = true, false, nil
	s.publishLocked(Event{Kind: EventGuildsChanged})
}

// InviteBot lets the bot in again.
func (g *Guild) InviteBot() {
	s := g.srv
	s.mu.Lock()
	defer s.mu.Unlock()
	if g.botIn || g.deleted {
		return
	}
	g.botIn = true
	s.guildCreateLocked(g)
	s.publishLocked(Event{Kind: EventGuildsChanged})
}

// SetExternalApps says whether people may use applications here that only they
// have installed in public; otherwise those answer privately whatever they ask for.
func (g *Guild) SetExternalApps(allowed bool) {
	g.srv.mu.Lock()
	defer g.srv.mu.Unlock()
	g.noExternalApps = !allowed
}

func (g *Guild) hasMember(u *User) bool {
	for _, m := range g.members {
		if m == u {
			return true
		}
	}
	return false
}
