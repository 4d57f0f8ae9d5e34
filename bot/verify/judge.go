package verify

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/shape"
)

// A judge looks at evidence and says what is seen and whether that is what was expected.
type judge func(of ...evidence) (seen string, same bool)

// all is what every judge expects of the same evidence; the first that sees something else is
// heard, else the last.
func all(judges ...judge) judge {
	return func(of ...evidence) (seen string, same bool) {
		for _, j := range judges {
			if seen, same = j(of...); !same {
				break
			}
		}
		return seen, same
	}
}

// taken expects each of the requests to be answered with a success.
func taken(of ...evidence) (seen string, same bool) {
	for _, e := range of {
		if !e.taken() {
			return e.refusal(), false
		}
	}
	return of[len(of)-1].refusal(), true
}

// refused expects one of the codes, with one of the statuses where there are any.
func refused(codes []int, statuses ...int) judge {
	return func(of ...evidence) (string, bool) {
		e := of[0]
		return e.refusal(), slices.Contains(codes, e.number("code")) && (len(statuses) == 0 || slices.Contains(statuses, e.status))
	}
}

// about expects a refusal to be about a field whose path has the part.
func about(part string) judge {
	return func(of ...evidence) (string, bool) { return of[0].refusal(), strings.Contains(of[0].refusal(), part) }
}

// shows expects a value at a path of the answer.
func shows(path string, want any) judge {
	return func(of ...evidence) (string, bool) {
		got := get(of[0].body, path)
		if n, ok := got.(float64); ok {
			got = int64(n)
		}
		return show(path, got), fmt.Sprint(got) == fmt.Sprint(want)
	}
}

// lists expects a list of so many at a path.
func lists(path string, n int) judge {
	return func(of ...evidence) (string, bool) {
		list := of[0].list(path)
		return fmt.Sprintf("%d in %s", len(list), path), list != nil && len(list) == n
	}
}

// flags expects bits among the flags at a path.
func flags(path string, bits int) judge {
	return func(of ...evidence) (string, bool) {
		got := of[0].number(path)
		return show(path, got), got&bits == bits
	}
}

func show(path string, v any) string { return fmt.Sprintf("%s %v", path, v) }

// blanks expects so many cells with nothing but a zero-width space, and the others with a mark.
func blanks(path string, blank, marked int) judge {
	return func(of ...evidence) (string, bool) {
		var found [3]int // blank, marked, something else
		other := ""
		for _, c := range of[0].parts(path) {
			switch {
			case !isCell(c.CustomID):
			case c.Label == blankLabel:
				found[0]++
			case strings.HasPrefix(c.Label, "X"), strings.HasPrefix(c.Label, "O"): // one of them has just been made
				found[1]++
			default:
				found[2]++
				other = fmt.Sprintf(", such as %+q", c.Label)
			}
		}
		return fmt.Sprintf("%d with U+200B, %d marked, %d others%s", found[0], found[1], found[2], other), found == [3]int{blank, marked, 0}
	}
}

// uniqueIDs expects a number of its own on every component.
func uniqueIDs(of ...evidence) (string, bool) {
	seen := map[int]bool{}
	for _, c := range of[0].parts("components") {
		if c.ID < 1 || seen[c.ID] {
			return fmt.Sprintf("a component with the id %d", c.ID), false
		}
		seen[c.ID] = true
	}
	return fmt.Sprintf("%d ids", len(seen)), len(seen) > 0
}

// inFives expects the grid in five rows of five.
func inFives(of ...evidence) (string, bool) {
	var got []int
	for _, c := range of[0].parts("components") {
		if len(c.Components) > 0 && isCell(c.Components[0].CustomID) {
			got = append(got, len(c.Components))
		}
	}
	return fmt.Sprintf("rows of %v", got), slices.Equal(got, []int{5, 5, 5, 5, 5})
}

// alike expects the same value at a path of two answers.
func alike(path string) judge {
	return func(of ...evidence) (string, bool) {
		a, b := get(of[0].body, path), get(of[1].body, path)
		if a == nil || fmt.Sprint(a) != fmt.Sprint(b) {
			return fmt.Sprintf("%s differs between %s and %s", path, of[0].name, of[1].name), false
		}
		return path + " is the same", true
	}
}

// edited expects the time of each edit to be later than that of the one before.
func edited(of ...evidence) (string, bool) {
	last := time.Time{}
	for _, e := range of {
		at, err := time.Parse(time.RFC3339, e.text("edited_timestamp"))
		if err != nil || !at.After(last) {
			return "edited_timestamp in " + e.name + " is not later", false
		}
		last = at
	}
	return "edited_timestamp is later", true
}

// dated expects the answer's date to be that of the message it made, by one clock.
func dated(of ...evidence) (string, bool) {
	date, err := http.ParseTime(of[0].header.Get("Date"))
	made, ok := discord.Made(of[0].text("id"))
	if err != nil || !ok {
		return "no date or no id", false
	}
	off := discord.SinceEpoch(date) - made
	return fmt.Sprintf("date and id are %v apart", off.Round(100*time.Millisecond)), off.Abs() < clockSlack
}

const clockSlack = 3 * time.Second // dates are cut to the second

// Tests on slow machines raise these.
var (
	inTime = 1500 * time.Millisecond // half of what Discord waits for an answer
	quick  = time.Second
)

// limited expects the headers that the rate limits are read from.
func limited(of ...evidence) (string, bool) {
	for _, name := range []string{"X-RateLimit-Bucket", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset-After"} {
		if of[0].header.Get(name) == "" {
			return "no " + name, false
		}
	}
	return of[0].header.Get("X-RateLimit-Limit") + " in a bucket", true
}

// within expects interactions to come while most of the three seconds are left, or requests to
// be answered in what is left then. It says how long the slowest took: 0 ms where Discord's clock,
// which is known to a second, says less.
func within(limit *time.Duration, says string) judge {
	return func(of ...evidence) (string, bool) {
		slowest := slices.MaxFunc(of, func(a, b evidence) int { return cmp.Compare(a.took, b.took) }).took
		return fmt.Sprintf(says, max(0, slowest.Milliseconds())), slowest < *limit
	}
}

// reads expects an interaction to be understood, and what the bot reads of it to be there.
func reads(check func(in *discord.Interaction) bool, what string) judge {
	return func(of ...evidence) (string, bool) {
		in := of[0].in
		switch {
		case in.Malformed != nil:
			return in.Malformed.Error(), false
		case in.Guild == "" || in.Permissions == 0 || in.App == 0:
			return "no guild or permissions", false
		case in.BotAbsent || in.Brought:
			return "the bot is taken for no member", false
		case !in.TextChannel:
			return "the channel is taken for no text channel", false
		case !check(in):
			return "understood but not " + what, false
		}
		return "understood", true
	}
}

// The keys of each act's interaction, as the local Discord sends them: a test writes them.
//
//go:embed shapes.json
var shapesJSON []byte

// asLocally expects the interaction's keys to be those of the local Discord's, whether or not
// whoever sent it has the app on their account.
func asLocally(of ...evidence) (string, bool) {
	var known map[string]shape.Shape
	_ = json.Unmarshal(shapesJSON, &known) // a test reads it
	got := shape.Of(of[0].raw)
	maps.DeleteFunc(got, func(path, _ string) bool { return strings.HasSuffix(path, "authorizing_integration_owners.1") })
	missing, more, others := shape.Compare(known[of[0].name], got)
	text := whole(missing, "without") + whole(more, "also") + whole(others, "of another kind")
	if text == "" {
		return "the same keys", true
	}
	return strings.TrimSuffix(text, "; "), false
}

// whole joins what names an interaction's parts that are not there.
func whole(list []string, what string) string {
	if len(list) == 0 {
		return ""
	}
	const most = 8
	if more := len(list) - most; more > 0 {
		list = append(slices.Clone(list[:most]), fmt.Sprintf("%d more", more))
	}
	return what + " " + strings.Join(list, ", ") + "; "
}

func gatewaySays(of ...evidence) (string, bool) {
	url, at := of[0].text("url"), of[0].number("session_start_limit.max_concurrency")
	return fmt.Sprintf("shards %d, at once %d", of[0].number("shards"), at), strings.HasPrefix(url, "ws") && at > 0 && of[0].number("shards") > 0
}

// customIDs expects those of a board of 25 cells, each once.
func customIDs(of ...evidence) (string, bool) {
	var ids []string
	for _, c := range of[0].parts("components") {
		if isCell(c.CustomID) && !slices.Contains(ids, c.CustomID) {
			ids = append(ids, c.CustomID)
		}
	}
	return fmt.Sprintf("%d cells", len(ids)), len(ids) == 25
}

// emojis expects every choice to have one.
func emojis(of ...evidence) (string, bool) {
	names := map[string]bool{}
	for _, e := range of {
		for _, c := range e.parts("components") {
			for _, o := range c.Options {
				if o.Emoji.Name == "" {
					return fmt.Sprintf("a choice in %s without one", e.name), false
				}
				names[o.Emoji.Name] = true
			}
		}
	}
	return fmt.Sprintf("%d emojis", len(names)), len(names) > 2*len(of)
}

// marked expects the clicked message to come along with a number.
func marked(ply int) judge {
	return func(of ...evidence) (string, bool) {
		got, ok := customid.PlyOf(of[0].in.Message.Marker)
		return show("message.components.0.id", of[0].in.Message.Marker), ok && got == ply
	}
}

// bySlash is what the bot reads of a command.
func bySlash(in *discord.Interaction) bool {
	return in.Root == chatCommand && in.Command == "play" && in.Installed && in.User != ""
}

// byClick is what it reads of a click.
func byClick(in *discord.Interaction) bool {
	return in.Message.ID != "" && in.Message.V2() && !in.Message.Lacks && isCell(in.CustomID)
}

func bySelect(in *discord.Interaction) bool {
	_, ok := customid.ParseCellValue(in.Values)
	return ok && in.Message.ID != "" && !in.Message.Lacks
}

func byMenu(in *discord.Interaction) bool {
	_, known := in.Users[in.Target]
	return in.Target != "" && known
}

// byServer expects its server to have installed the app.
func byServer(of ...evidence) (string, bool) {
	const path = "authorizing_integration_owners.0"
	return show("context", get(of[0].body, "context")) + ", by a server " + fmt.Sprint(of[0].text(path) != ""),
		of[0].text(path) == of[0].in.Guild && of[0].number("context") == discord.ContextGuild
}

// appMay expects the permissions that the bot looks at to be those that its roles and the channel
// give it.
func appMay(of ...evidence) (string, bool) {
	const looked = discord.BeginThreads | discord.PermissionSendMessages | discord.PermissionManageMessages | permission.ReadHistory
	got, want := int64(of[0].in.App)&looked, permissions(of[1], of[2], of[3])&looked //nolint:gosec // bits
	return fmt.Sprintf("%d, and %d by roles and channel", got, want), got == want
}

// originalIs expects an edit of @original to be of the message that was clicked.
func originalIs(of ...evidence) (string, bool) {
	acknowledged, edit, click := of[0], of[1], of[2]
	if seen, same := taken(acknowledged, edit); !same {
		return seen, false
	}
	if edit.text("id") != click.in.Message.ID {
		return "another message", false
	}
	return "the clicked message", true
}

// callsThem expects whoever has pressed to be the only one mentioned.
func callsThem(of ...evidence) (string, bool) {
	post, click := of[0], of[1]
	if seen, same := lists("mentions", 1)(post); !same {
		return seen, false
	}
	if post.text("mentions.0.id") != click.in.User {
		return "somebody else is mentioned", false
	}
	return "who is listed is mentioned", true
}

// inThread expects a click in a thread to have its channel as the parent.
func inThread(of ...evidence) (string, bool) {
	if of[0].in.Parent == "" || of[0].in.TextChannel {
		return "it is taken for no thread", false
	}
	return "understood", true
}

// brought expects an interaction that whoever sent it has brought along, and no server has.
func brought(of ...evidence) (string, bool) {
	in, owners := of[0].in, "authorizing_integration_owners"
	byPerson, byServer := of[0].text(owners+".1") == in.User, get(of[0].body, owners+".0") != nil
	return fmt.Sprintf("by the person %v, by a server %v, context %d, the bot absent %v", byPerson, byServer, of[0].number("context"), in.BotAbsent),
		byPerson && !byServer && in.BotAbsent
}

// oldEdits expects an edit that was refused for now, and the last one to be taken.
func oldEdits(of ...evidence) (string, bool) {
	first, last := of[0], of[1]
	if !last.taken() {
		return last.refusal(), false
	}
	return fmt.Sprintf("%d, code %d", first.status, first.number("code")), first.status == http.StatusTooManyRequests && first.number("code") == 30046
}
