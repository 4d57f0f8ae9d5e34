package verify

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
)

// The states of a result.
const (
	Same    = "same"
	Differs = "differs"
	Untried = "not tried"
)

// Result is what became of a row.
type Result struct {
	Group   string   `json:"group"`
	ID      string   `json:"id"`
	State   string   `json:"state"`
	Expects string   `json:"expects"`
	Where   string   `json:"where"`
	Seen    string   `json:"seen"`
	Of      []string `json:"of,omitempty"` // the requests and interactions that it looked at
}

// Report is what was seen, for whoever has no token.
type Report struct {
	Version string   `json:"version"`
	Date    string   `json:"date"`
	Results []Result `json:"results"`
	// Payloads are interactions by what was done, without what is anybody's.
	Payloads map[string]any `json:"payloads"`
}

// report judges every row by the evidence that there is.
func (s *session) report() Report {
	r := Report{Version: s.opts.Version, Date: s.opts.Now().UTC().Format("2006-01-02"), Payloads: map[string]any{}}
	for _, g := range groups {
		for _, row := range g.rows {
			r.Results = append(r.Results, s.result(g.name, row))
		}
	}
	clean := cleaner{ids: map[string]string{}}
	for _, name := range []string{"command", "click", "private", "select", "person", "thread", "elsewhere"} { // one of each kind
		if e, ok := s.seen[name]; ok {
			r.Payloads[name] = clean.value(e.body, "")
		}
	}
	return r
}

// result is what the row says. Without all that it looks at it says nothing.
func (s *session) result(group string, row row) Result {
	out := Result{Group: group, ID: row.id, State: Untried, Expects: row.expects, Where: row.where}
	var of []evidence
	for name := range strings.FieldsSeq(row.of) {
		e, ok := s.seen[name]
		if !ok {
			part, _, _ := strings.Cut(name, ".")
			if err := cmp.Or(s.silent[name], s.silent[part]); err != nil {
				out.Seen = s.hide(evidence{err: err}.refusal())
			}
			out.Of = nil
			return out
		}
		of, out.Of = append(of, e), append(out.Of, e.what)
	}
	seen, same := row.judge(of...)
	out.Seen, out.State = s.hide(seen), Differs
	if same {
		out.State = Same
	}
	return out
}

// Count returns how many results have the state.
func (r Report) Count(state string) (n int) {
	for _, one := range r.Results {
		if one.State == state {
			n++
		}
	}
	return n
}

// The colours of the states. All are as long, so that columns stay columns.
var colours = map[string]string{Same: "\x1b[32m", Differs: "\x1b[31m", Untried: "\x1b[33m"}

// print writes the table, and a line for each difference.
func (r Report) print(to io.Writer, colour bool) {
	t := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	group := ""
	for _, one := range r.Results {
		if one.Group != group {
			group = one.Group
			_ = t.Flush()
			fmt.Fprintf(to, "\n%s\n", group)
		}
		state := one.State
		if colour {
			state = colours[state] + state + "\x1b[0m"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", state, one.ID, one.Expects, one.Where, shorten(one.Seen, 60))
	}
	_ = t.Flush()
	fmt.Fprintln(to)
	for _, one := range r.Results {
		if one.State == Differs {
			fmt.Fprintf(to, "%s differs: expected that %s; seen: %s. %s relies on it.\n", one.ID, one.Expects, one.Seen, one.Where)
		}
	}
	fmt.Fprintf(to, "%d as expected, %d differ, %d not tried.\n", r.Count(Same), r.Count(Differs), r.Count(Untried))
}

func shorten(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}

// save writes the report to a file.
func (r Report) save(path string) error {
	raw, _ := json.MarshalIndent(r, "", "  ") // all of it is text, or was JSON
	return os.WriteFile(path, append(raw, '\n'), 0o600)
}

// cleaner takes out of interactions what is anybody's: ids become others, the same ones for
// the same, and texts go but for those that are Discord's or ours.
type cleaner struct{ ids map[string]string }

// Keys whose texts say nothing about people. The numbers may be as long as ids.
var (
	keptTexts   = []string{"custom_id", "emoji", "guild_locale", "label", "locale", "preferred_locale", "value", "values"}
	keptNumbers = []string{"app_permissions", "permissions"}
)

// value returns what stands for what is at a path such as ".member.user.id".
func (c cleaner) value(v any, path string) any {
	key := path[strings.LastIndexByte(path, '.')+1:]
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = c.value(one, path)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, one := range v {
			known := name
			if isID(name) {
				known = c.text(name, name)
			}
			out[known] = c.value(one, path+"."+name)
		}
		return out
	case string:
		ours := key == "name" && strings.HasPrefix(path, ".data.") && !strings.Contains(path, ".resolved.")
		if ours || slices.Contains(keptNumbers, key) || !isID(v) && slices.Contains(keptTexts, key) && !strings.HasPrefix(path, ".data.options") {
			return v
		}
		return c.text(key, v)
	}
	return v
}

func isID(text string) bool { return len(text) >= 15 && strings.Trim(text, "0123456789") == "" }

// text returns what stands for a text.
func (c cleaner) text(key, text string) string {
	switch {
	case text == "":
		return ""
	case isID(text):
		if c.ids[text] == "" {
			c.ids[text] = fmt.Sprintf("%d", 1100000000000000001+int64(len(c.ids)))
		}
		return c.ids[text]
	case strings.HasSuffix(key, "timestamp") || strings.HasSuffix(key, "_at"):
		return "2020-01-01T00:00:00.000000+00:00"
	}
	return "…"
}
