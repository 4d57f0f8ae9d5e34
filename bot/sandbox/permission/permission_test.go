package permission_test

import (
	"slices"
	"testing"

	. "tictactoe/bot/sandbox/permission"
)

func TestIn(t *testing.T) {
	const base = ViewChannel | SendMessages
	member := Member{ID: "ada", Everyone: "guild", Roles: []string{"red", "blue"}, Base: base}
	owner, admin, timedOut := member, member, member
	owner.Owner, admin.Base, timedOut.TimedOut = true, base|Administrator, true
	everyone := Overwrite{ID: "guild", Deny: SendMessages}
	red := Overwrite{ID: "red", Allow: SendMessages}
	blue := Overwrite{ID: "blue", Deny: SendMessages}
	ada := Overwrite{ID: "ada", Member: true, Deny: SendMessages}
	for _, c := range []struct {
		name       string
		member     Member
		overwrites []Overwrite
		want       int64
	}{
		{"nothing in the way", member, nil, base},
		{"denied to everyone", member, []Overwrite{everyone}, ViewChannel},
		{"a role allows again, whatever the order", member, []Overwrite{red, everyone}, base},
		{"of two roles, allowing wins", member, []Overwrite{red, blue}, base},
		{"a role denies", member, []Overwrite{blue}, ViewChannel},
		{"a member's own comes last", member, []Overwrite{ada, red}, ViewChannel},
		{"a role of the same id as a user is no user's", member, []Overwrite{{ID: "ada", Deny: base}}, base},
		{"another role", member, []Overwrite{{ID: "green", Deny: base}}, base},
		{"the owner", owner, []Overwrite{everyone, ada}, All},
		{"an administrator", admin, []Overwrite{everyone, ada}, All},
		{"timed out", timedOut, []Overwrite{red}, ViewChannel},
	} {
		if got := c.member.In(c.overwrites); got != c.want {
			t.Errorf("%s: got %b, want %b", c.name, got, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	const unused = 1 << 47
	var seen int64
	var groups []string
	for _, n := range Names() {
		if n.Bit&(n.Bit-1) != 0 || n.Bit&All == 0 || seen&n.Bit != 0 || n.Name == "" {
			t.Errorf("%+v is no single permission, or there twice", n)
		}
		seen |= n.Bit
		if len(groups) == 0 || groups[len(groups)-1] != n.Group {
			groups = append(groups, n.Group)
		}
	}
	if seen != All&^unused {
		t.Errorf("without a name: %b", All&^unused&^seen)
	}
	if slices.Sort(groups); len(slices.Compact(slices.Clone(groups))) != len(groups) || slices.Contains(groups, "") {
		t.Errorf("groups: %q", groups)
	}
}
