package page

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"tictactoe/bot/sandbox/internal/webjson"
	"tictactoe/bot/sandbox/rules"
)

// personRequest makes a person, or finds the one of that name.
type personRequest struct {
	Name string `json:"name"`
}

// controlCharacters may not be part of a name.
var controlCharacters = regexp.MustCompile(`[\p{Cc}\p{Zl}\p{Zp}]`)

func goodName(s string) bool {
	n := utf8.RuneCountInString(s)
	return n >= 1 && n <= 32 && strings.TrimSpace(s) == s && !controlCharacters.MatchString(s)
}

func (p *page) addPerson(_ *http.Request, in personRequest) (any, error) {
	if !goodName(in.Name) {
		return nil, errName
	}
	u := p.srv.User(in.Name)
	if u.IsBot() {
		return nil, errName
	}
	u.DM()
	return map[string]string{"user": u.ID()}, nil
}

var errName = &webjson.Error{
	Status: http.StatusUnprocessableEntity, Code: "bad_name", Field: "name", Message: "A name has 1 to 32 characters and no line breaks.",
}

// guildRequest changes a guild.
type guildRequest struct {
	Guild  string `json:"guild"`
	Locale string `json:"locale"`
}

func (p *page) changeGuild(_ *http.Request, in guildRequest) (any, error) {
	if !slices.Contains(rules.Locales(), in.Locale) {
		return nil, refuse(http.StatusUnprocessableEntity, "bad_locale", "Discord has no such language.")
	}
	for _, g := range p.srv.World().Guilds() {
		if g.ID() == in.Guild {
			g.SetLocale(in.Locale)
			return struct{}{}, nil
		}
	}
	return nil, refuse(http.StatusNotFound, "unknown_guild", "There is no such guild.")
}

// restart has the bot open a new session. It answers when that is done.
func (p *page) restart(*http.Request, struct{}) (any, error) {
	if p.restartSession == nil {
		return nil, refuse(http.StatusNotFound, "no_restart", "This bot cannot be restarted from here.")
	}
	if !p.restarting.TryLock() {
		return nil, refuse(http.StatusConflict, "restarting", "The bot's session is being restarted already.")
	}
	defer p.restarting.Unlock()
	if err := p.restartSession(); err != nil {
		return nil, refuse(http.StatusBadGateway, "restart_failed", "The bot's session could not be restarted.")
	}
	return struct{}{}, nil
}

// crowdRequest turns "many games" on or off.
type crowdRequest struct {
	On bool `json:"on"`
}

func (p *page) setCrowd(_ *http.Request, in crowdRequest) (any, error) {
	if in.On {
		p.crowd.start()
	} else {
		p.crowd.stop()
	}
	return p.crowd.info(), nil
}
