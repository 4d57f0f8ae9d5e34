package verify

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// departed says for each row what the local Discord does that it is to see.
var departed = map[string]string{
	"application": "OtherUser", "gateway": "NoGateway", "board-post": "BlanksRefused", "board-blanks": "BlanksTrimmed",
	"board-rows": "RowsWrapped", "board-marker": "NumbersLost", "board-ids": "NumbersTwice", "board-flags": "NotQuiet",
	"board-ids-kept": "CustomIDsCut", "board-read": "ContentIntent", "edit-taken": "EditsRefused", "edit-cell": "EditsLoseLabels",
	"edit-marker": "EditsRenumber", "edit-flags": "EditsLoseFlags", "edit-again": "EditsUndated", "text-to-board": "EditsLoseFlags",
	"text-gone": "TextStays", "mention-left": "AllMentioned", "mention-edit": "EditsMentionNobody", "mention-unnamed": "AllMentioned",
	"nonce-twice": "NonceIgnored", "nonce-deleted": "NothingRefused", "list-25": "ShortLists", "marks": "EmojisLost",
	"longest": "LabelsOf50", "too-long": "NothingRefused", "forty": "ThirtyComponents", "forty-one": "NothingRefused",
	"no-label": "NothingRefused", "space-label": "NothingRefused", "content-beside": "NothingRefused",
	"delete": "DeletesRefused", "delete-again": "GoneForbidden", "edit-gone": "GoneForbidden", "no-channel": "GoneForbidden",
	"no-token": "TokensUnchecked", "limits": "LimitsUnsaid", "clock": "ClockAhead", "commands-taken": "CommandsRefused",
	"commands-same": "CommandsChanged", "thread": "ThreadsPrivate", "thread-post": "Forbidden",

	"command-reads": "NoAppPermissions", "command-keys": "MoreKeys", "answer": "TypeFourRefused", "answer-flags": "AnswersNotQuiet",
	"answer-marker": "AnswersRenumber", "answer-blanks": "AnswersTrimmed", "answered-twice": "AnswersTwice",
	"click-reads": "ClicksWithoutFlags", "click-keys": "MoreKeys", "click-marker": "ClicksRenumbered", "click-blanks": "ClicksTrimmed",
	"update": "UpdatesRefused", "update-read": "UpdatesLost", "next-marker": "ClicksRenumbered", "same-again": "UpdatesLost",
	"original": "OtherOriginal", "followup": "FollowUpsPublic", "followup-edit": "FollowUpsGone", "private-click": "ClicksWithoutFlags",
	"private-original": "OtherOriginal", "private-update": "UpdatesRefused", "private-delete": "PrivateStays",
	"select-reads": "OtherValues", "select-keys": "MoreKeys", "in-time": "ClockAhead", "answer-time": "slow",
	"look-rows": "", "look-blank": "", "look-phone": "", "look-lines": "", "look-letters": "", // somebody says so
	"person-reads": "NothingResolved", "person-keys": "MoreKeys",
	"forbidden": "ChannelsHidden", "command-owners": "OwnersLost", "app-permissions": "NoAppPermissions",

	"second-reads": "ClicksWithoutFlags", "second-private": "AnswersNotQuiet", "second-called": "AllMentioned", "second-edited": "EditsMentionNobody",
	"second-hidden": "", "second-badge": "", "second-no-badge": "",
	"archived-edit": "ClosedEdits", "archived-open": "ChannelsHidden", "archived-click": "ChannelsUntold", "archived-reads": "ChannelsUntold",
	"archived-update": "UpdatesRefused", "locked-told": "LocksUntold", "locked-edit": "ClosedEdits", "locked-post": "NothingRefused",
	"locked-token": "TokensUnchecked", "deleted-thread": "GoneForbidden",
	"elsewhere-owners": "OwnersLost", "elsewhere-answer": "TypeFourRefused",
}

// TestEveryRowTurnsRed: for each row there is something that a Discord could do otherwise, and
// the row sees it.
func TestEveryRowTurnsRed(t *testing.T) {
	rowsOf := map[string][]string{} // by departure
	for _, g := range groups {
		for _, r := range g.rows {
			name, ok := departed[r.id]
			switch {
			case slices.Contains(idsOf(laterRows), r.id): // TestOldMessage
			case !ok:
				t.Errorf("nothing turns %s red", r.id)
			default:
				rowsOf[name] = append(rowsOf[name], r.id)
			}
		}
	}
	for name, rows := range rowsOf {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			among := func(of []row) bool {
				return slices.ContainsFunc(rows, func(id string) bool { return slices.Contains(idsOf(of), id) })
			}
			p := newPlace(t)
			if among(moreRows) {
				p = newMore(t)
			}
			switch name {
			case "":
			case "slow": // our clock says so, to spare the time
				var passed atomic.Int64
				p.opts.Now = func() time.Time { return time.Now().Add(time.Duration(passed.Load())) }
				p.opts.REST.Transport = between(func(req *http.Request) (*http.Response, error) {
					if strings.HasSuffix(req.URL.Path, "/callback") {
						passed.Add(int64(2 * quick))
					}
					return http.DefaultTransport.RoundTrip(req)
				})
			default:
				if err := p.srv.Faults().Depart(name); err != nil {
					t.Fatal(err)
				}
			}
			r, verdict := Report{}, "Like this"
			if name == "" {
				verdict = "Not like this"
			}
			if p.opts.Alone = !among(clickRows) && !p.opts.More; p.opts.Alone {
				r, _ = Run(t.Context(), p.opts) // what is left is another test's
			} else {
				ended := make(chan struct{})
				go func() { r, _ = Run(t.Context(), p.opts); close(ended) }()
				p.press(t, verdict)
				if p.opts.More {
					p.pressMore(t, verdict)
				}
				<-ended
			}
			for _, id := range rows {
				if !slices.Contains(states(r, Differs), id) {
					t.Errorf("%s does not differ\n%s", id, p.out)
				}
			}
		})
	}
}

// TestDeparturesAreUsed: what no row sees is not needed, but for what the bot itself helps with.
func TestDeparturesAreUsed(t *testing.T) {
	p := newPlace(t)
	used := map[string]bool{"BlanksNever": true, "NumbersNever": true}
	for _, name := range departed {
		used[name] = true
	}
	for _, d := range p.srv.Faults().Departures() {
		if !used[d.Name] {
			t.Errorf("no row is to see %s", d.Name)
		}
	}
}
