package page_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/pagetest"
)

// markup is what texts of messages become, in elements without what only screen
// readers and the mouse need. @ada, @ben and #games stand for their ids.
var markup = []struct{ text, want string }{
	// Emphasis.
	{"*a*", "<p><em>a</em></p>"},
	{"_a_", "<p><em>a</em></p>"},
	{"**a**", "<p><strong>a</strong></p>"},
	{"__a__", "<p><u>a</u></p>"},
	{"~~a~~", "<p><s>a</s></p>"},
	{"***a***", "<p><em><strong>a</strong></em></p>"},
	{"___a___", "<p><em><u>a</u></em></p>"},
	{"*a **b** c*", "<p><em>a <strong>b</strong> c</em></p>"},
	{"**a *b* c**", "<p><strong>a <em>b</em> c</strong></p>"},
	{"*a **b***", "<p><em>a <strong>b</strong></em></p>"},
	{"**a *b***", "<p><strong>a <em>b</em></strong></p>"},
	{"__**a** b__", "<p><u><strong>a</strong> b</u></p>"},
	{"_a __b__ c_", "<p><em>a <u>b</u> c</em></p>"},
	{"**~~a~~ ||b||**", `<p><strong><s>a</s> <span class="spoiler"><span>b</span></span></strong></p>`},
	{"_snake_case_", "<p><em>snake_case</em></p>"},
	{"snake_case_", "<p>snake_case_</p>"},
	{"a snake_case_name b", "<p>a snake_case_name b</p>"},
	{"été_vite_", "<p>été_vite_</p>"},
	{"2*3*4", "<p>2<em>3</em>4</p>"},
	{"2 * 3 * 4", "<p>2 * 3 * 4</p>"},
	{"* a*", "<ul><li>a*</li></ul>"},
	{"**a", "<p>**a</p>"},
	{"*a\nb*", "<p><em>a<br>b</em></p>"},
	{"****", "<p>****</p>"},
	{"||a *b*||", `<p><span class="spoiler"><span>a <em>b</em></span></span></p>`},
	{"|| ||", `<p><span class="spoiler"><span> </span></span></p>`},

	// Escapes.
	{`\*a\*`, "<p>*a*</p>"},
	{`*a\*b*`, "<p><em>a*b</em></p>"},
	{`**a\*\*b**`, "<p><strong>a**b</strong></p>"},
	{`\_a_`, "<p>_a_</p>"},
	{"\\`a\\`", "<p>`a`</p>"},
	{`\# a`, "<p># a</p>"},
	{`\- a`, "<p>- a</p>"},
	{`\> a`, "<p>&gt; a</p>"},
	{`\<@ada>`, "<p>&lt;@ada&gt;</p>"},
	{`\a \ b`, `<p>\a \ b</p>`},
	{`¯\_(ツ)_/¯`, `<p>¯\_(ツ)_/¯</p>`},

	// Code.
	{"`a *b* <@1>`", "<p><code>a *b* &lt;@1&gt;</code></p>"},
	{"``a ` b``", "<p><code>a ` b</code></p>"},
	{"`` `a` ``", "<p><code>`a`</code></p>"},
	{"`a", "<p>`a</p>"},
	{"```a```", "<pre><code>a</code></pre>"},
	{"```\na\n  b\n```", "<pre><code>a\n  b</code></pre>"},
	{"```js\nlet a;\n```", `<pre data-language="js"><code>let a;</code></pre>`},
	{"```js\n```", "<pre><code>js</code></pre>"},
	{"```c++\n- a\n# b\n\n> c\n```", "<pre data-language=\"c++\"><code>- a\n# b\n\n&gt; c</code></pre>"},
	{"text ```js\ncode\n``` after", `<p>text </p><pre data-language="js"><code>code</code></pre><p> after</p>`},
	{"a\n```b```\nc", "<p>a</p><pre><code>b</code></pre><p>c</p>"},
	{"```a```\n\nb", "<pre><code>a</code></pre><p><br>b</p>"},
	{"> ```\n> a\n> ```\nb", "<blockquote><pre><code>a</code></pre></blockquote><p>b</p>"},
	{"``````", "<p>``````</p>"},
	{"\\```a```", "<p>```a```</p>"},

	// Lines, quotes, headings, small print.
	{"a\nb", "<p>a<br>b</p>"},
	{"a\n\nb", "<p>a<br><br>b</p>"},
	{"a\n\n", "<p>a</p>"},
	{"> a", "<blockquote><p>a</p></blockquote>"},
	{"> a\n> *b*\nc", "<blockquote><p>a<br><em>b</em></p></blockquote><p>c</p>"},
	{"> a\n\n> b", "<blockquote><p>a</p></blockquote><p><br></p><blockquote><p>b</p></blockquote>"},
	{"> > a", "<blockquote><p>&gt; a</p></blockquote>"},
	{"> - a\n> - b", "<blockquote><ul><li>a</li><li>b</li></ul></blockquote>"},
	{">a", "<p>&gt;a</p>"},
	{">>> a\nb\n# c", `<blockquote><p>a<br>b</p><p class="heading heading-1">c</p></blockquote>`},
	{"a\n>>> b\n> c", "<p>a</p><blockquote><p>b<br>&gt; c</p></blockquote>"},
	{"# a", `<p class="heading heading-1">a</p>`},
	{"## *a*\nb", `<p class="heading heading-2"><em>a</em></p><p>b</p>`},
	{"### a", `<p class="heading heading-3">a</p>`},
	{"#### a", "<p>#### a</p>"},
	{"#a", "<p>#a</p>"},
	{"a # b", "<p>a # b</p>"},
	{"-# a **b**", `<p class="small">a <strong>b</strong></p>`},
	{"-#a", "<p>-#a</p>"},
	{"a\n-# b\nc", `<p>a</p><p class="small">b</p><p>c</p>`},

	// Lists.
	{"- a\n- b", "<ul><li>a</li><li>b</li></ul>"},
	{"* a\n* *b*", "<ul><li>a</li><li><em>b</em></li></ul>"},
	{"Hello\n\n- a", "<p>Hello<br><br></p><ul><li>a</li></ul>"},
	{"Hello\n- a\nb", "<p>Hello</p><ul><li>a</li></ul><p>b</p>"},
	{"- a\n\n- b", "<ul><li>a</li></ul><ul><li>b</li></ul>"},
	{"- a\n  - b\n    - c\n- d", "<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul>"},
	{"1. a\n   - b\n2. c", "<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>"},
	{"3. a\n4. b", `<ol start="3"><li>a</li><li>b</li></ol>`},
	{"- a\n  b", "<ul><li>a<br>b</li></ul>"},
	{"- a\n1. b", `<ul><li>a</li></ul><ol><li>b</li></ol>`},
	{"-a", "<p>-a</p>"},
	{"- ", "<p>- </p>"},
	{"1.a 2. b", "<p>1.a 2. b</p>"},

	// Links.
	{"https://example.org/a_b_c.", `<p><a href="https://example.org/a_b_c">https://example.org/a_b_c</a>.</p>`},
	{"(https://example.org/a_(b))", `<p>(<a href="https://example.org/a_(b)">https://example.org/a_(b)</a>)</p>`},
	{"<https://example.org/?a=1&b>", `<p><a href="https://example.org/?a=1&amp;b">https://example.org/?a=1&amp;b</a></p>`},
	{"[a *b*](https://example.org/c)", `<p><a href="https://example.org/c">a <em>b</em></a></p>`},
	{"[a](<https://example.org/c>)", `<p><a href="https://example.org/c">a</a></p>`},
	{`[a](https://example.org/c "d")`, `<p><a href="https://example.org/c">a</a></p>`},
	{"[a](https://example.org/c_(d))", `<p><a href="https://example.org/c_(d)">a</a></p>`},
	{"[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>"},
	{"[a](/b)", "<p>[a](/b)</p>"},
	{"[](https://example.org)", `<p>[](<a href="https://example.org">https://example.org</a>)</p>`},

	// People, places, commands, emoji.
	{"<@ada> <@!ben>", `<p><span class="mention mention-me">@Ada</span> <span class="mention">@Ben</span></p>`},
	{"**<@ben>**", `<p><strong><span class="mention">@Ben</span></strong></p>`},
	{"<@1>", `<p><span class="mention mention-unknown">@unknown-user</span></p>`},
	{"<@&1> @everyone @here", `<p><span class="mention">@deleted-role</span> <span class="mention">@everyone</span> <span class="mention">@here</span></p>`},
	{"<#games> <#1>", `<p><button class="mention mention-press">#games</button> <span class="mention"># unknown</span></p>`},
	{"</demo play:1>", `<p><button class="mention mention-press">/demo play</button></p>`},
	{"</demo:x>", "<p>&lt;/demo:x&gt;</p>"},
	{"<:wave:12> <a:spin:34>", `<p><img class="custom-emoji" alt=":wave:"> <img class="custom-emoji" alt=":spin:"></p>`},
	{"🎲 👩\u200d👩\u200d👧 é *🎉*", strings.NewReplacer("[", `<span class="character-emoji">`, "]", "</span>").Replace("<p>[🎲] [👩\u200d👩\u200d👧] é <em>[🎉]</em></p>")},
	{"<b>a</b> &amp; <script>1</script>", "<p>&lt;b&gt;a&lt;/b&gt; &amp;amp; &lt;script&gt;1&lt;/script&gt;</p>"},
}

// TestMarkdown compares what the page makes of texts with what Discord does.
func TestMarkdown(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	ids := strings.NewReplacer("@ada>", "@"+srv.User("Ada").ID()+">", "@!ben", "@!"+srv.User("Ben").ID(),
		"@ben", "@"+srv.User("Ben").ID(), "#games", "#"+srv.Guild().Channel("games").ID())
	var texts []string
	for _, m := range markup {
		if strings.HasPrefix(m.text, `\<`) {
			texts = append(texts, m.text) // as it stands
			continue
		}
		texts = append(texts, ids.Replace(m.text))
	}
	for i, got := range drawn(t, tab, texts) {
		if want := markup[i].want; got != want {
			t.Errorf("%q:\n got %s\nwant %s", markup[i].text, got, want)
		}
	}
}

// drawn is what the page's own script makes of texts, as HTML.
func drawn(t *testing.T, tab *pagetest.Tab, texts []string) []string {
	t.Helper()
	list, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	return pagetest.Eval[[]string](tab, fmt.Sprintf(`import("/assets/js/markdown.js").then(({draw}) => %s.map((text) => {
		const el = draw(text, {unknown: [], actions: {}});
		for (const n of el.querySelectorAll("*")) {
			for (const a of [...n.attributes]) if (!["class", "alt", "href", "start", "data-language"].includes(a.name)) n.removeAttribute(a.name);
		}
		return el.innerHTML;
	}))`, list))
}

// TestMarkdownTimes asks for every style of a point in time, in two languages.
func TestMarkdownTimes(t *testing.T) {
	srv, browser := browse(t, nil)
	tab := browser.Open(t, srv.URL(), pagetest.Desk)
	const at = 1618953630
	styles := []string{"", ":t", ":T", ":d", ":D", ":f", ":F", ":s", ":S"}
	options := []string{
		`{dateStyle: "long", timeStyle: "short"}`, `{timeStyle: "short"}`, `{timeStyle: "medium"}`,
		`{year: "numeric", month: "2-digit", day: "2-digit"}`, `{dateStyle: "long"}`,
		`{dateStyle: "long", timeStyle: "short"}`, `{dateStyle: "full", timeStyle: "short"}`,
		`{year: "numeric", month: "2-digit", day: "2-digit", hour: "numeric", minute: "2-digit"}`,
		`{year: "numeric", month: "2-digit", day: "2-digit", hour: "numeric", minute: "2-digit", second: "2-digit"}`,
	}
	for _, locale := range []string{"en-US", "de"} {
		srv.User("Ada").Set(sandbox.Locale(locale))
		tab.Wait("the language", fmt.Sprintf(`document.querySelector(".me .language").value === %q`, locale))
		var texts []string
		for _, s := range styles {
			texts = append(texts, fmt.Sprintf("<t:%d%s>", at, s))
		}
		for i, got := range drawn(t, tab, texts) {
			said := pagetest.Eval[string](tab, fmt.Sprintf("new Intl.DateTimeFormat(%q, %s).format(new Date(%d000))", locale, options[i], at))
			if want := `<p><time class="stamp">` + said + "</time></p>"; got != want {
				t.Errorf("%s: %s: got %s, want %s", locale, texts[i], got, want)
			}
		}
	}
	now := pagetest.Eval[int64](tab, `Math.floor(Date.now() / 1000)`)
	for i, got := range drawn(t, tab, []string{
		fmt.Sprintf("<t:%d:R>", now+3*3600+60), fmt.Sprintf("<t:%d:R>", now-48*3600-60), "<t:x:R>", "<t:1:Q>", "<t:99999999999999:f>",
	}) {
		want := []string{"in 3 Stunden", "vorgestern", "&lt;t:x:R&gt;", "&lt;t:1:Q&gt;", "Invalid date"}[i]
		if !strings.Contains(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestEmbeds posts an embed with a title in markup, fields in rows and a time.
func TestEmbeds(t *testing.T) {
	srv, browser := browse(t, nil)
	field := func(name string, inline bool) obj { return obj{"name": name, "value": "*value*", "inline": inline} }
	tell(t, srv, obj{"embeds": arr{
		obj{"title": "**Bold** <@1> `code`", "url": "https://example.org/x", "timestamp": "2024-05-01T10:00:00Z", "footer": obj{"text": "A footer"}, "fields": arr{
			field("a", true), field("b", true), field("c", true), field("d", true), field("e", true), field("__f__", false), field("g", true),
		}},
		obj{"title": "# _Slanted_\n@everyone", "timestamp": "2024-05-01T10:00:00Z"},
	}})
	for _, view := range []pagetest.View{pagetest.Desk, pagetest.Phone} {
		tab := browser.Open(t, srv.URL()+"/#general", view)
		tab.WaitText(newest+" .embed-footer", "A footer")
		got := pagetest.Eval[[]string](tab, `[...document.querySelectorAll(".embed-title")].map((el) => el.innerHTML.replace(/ (target|rel)="[^"]*"/g, ""))`)
		want := []string{`<a href="https://example.org/x"><strong>Bold</strong> &lt;@1&gt; <code>code</code></a>`, `# <em>Slanted</em><br>@everyone`}
		if !slices.Equal(got, want) {
			t.Errorf("the titles are\n%q, want\n%q", got, want)
		}
		rows := pagetest.Eval[string](tab, `(() => {
			const lines = new Map();
			for (const f of document.querySelectorAll(".embed-fields > div")) {
				const {top} = f.getBoundingClientRect();
				lines.set(top, (lines.get(top) ?? "") + f.querySelector("dt").textContent);
			}
			return [...lines.values()].join(" ");
		})()`)
		if want := map[bool]string{false: "abc de f g", true: "a b c d e f g"}[view.Phone]; rows != want {
			t.Errorf("%d px wide: the rows of fields are %q, want %q", view.Width, rows, want)
		}
		if got, want := pagetest.Eval[string](tab, `import("/assets/js/summary.js").then(({firstLine}) => import("/assets/js/store.js").then(({store}) => firstLine([...store.messages.values()].at(-1))))`), "Bold @unknown code"; got != want {
			t.Errorf("in a line it says %q, want %q", got, want)
		}
		if got := tab.Count(".embed-footer time"); got != 2 {
			t.Errorf("%d footers show a time, want 2", got)
		}
		tab.WantAccessible()
	}
}
