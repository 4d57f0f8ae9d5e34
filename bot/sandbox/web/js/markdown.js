// The markdown that Discord renders in messages, as a tree and as elements.
// parse() gives plain objects, so that the same text can be drawn, spoken and
// shown in a notification.

import { h } from "./dom.js";
import { format, styles, timestamp } from "./timestamps.js";
import { store } from "./store.js";

const INLINE = [
  [/^\\([^\sA-Za-z0-9])/, (m) => ({ type: "text", text: m[1] })],
  [/^``(.+?)``(?!`)/s, (m) => ({ type: "code", text: m[1].trim() })],
  [/^`([^`]+)`/, (m) => ({ type: "code", text: m[1] })],
  [/^<@!?(\d+)>/, (m) => ({ type: "person", id: m[1] })],
  [/^<@&(\d+)>/, (m) => ({ type: "role", id: m[1] })],
  [/^<#(\d+)>/, (m) => ({ type: "channel", id: m[1] })],
  [/^<\/([^:<>]{1,100}):(\d+)>/, (m) => ({ type: "command", path: m[1], id: m[2] })],
  [new RegExp(`^<t:(-?\\d{1,17})(?::([${styles}]))?>`), (m) => ({ type: "time", seconds: Number(m[1]), style: m[2] ?? "f" })],
  [/^<a?:(\w{2,32}):(\d+)>/, (m) => ({ type: "emoji", name: m[1] })],
  [/^<(https?:\/\/[^\s<>]+)>/, (m) => ({ type: "link", url: m[1], children: [{ type: "text", text: m[1] }] })],
  [/^\[((?:\\.|[^\[\]\\])+)\]\(<?(https?:\/\/[^\s<>()]+(?:\([^\s<>()]*\)[^\s<>()]*)*)>?\)/, (m) => ({ type: "link", url: m[2], children: inline(m[1]) })],
  [/^https?:\/\/[^\s<>]+[^\s<>.,:;!?"')\]]/, (m) => ({ type: "link", url: m[0], children: [{ type: "text", text: m[0] }] })],
  [/^@(everyone|here)\b/, (m) => ({ type: "all", text: m[0] })],
  [/^\|\|(.+?)\|\|/s, (m) => ({ type: "spoiler", children: inline(m[1]) })],
  [/^\*\*\*(?=\S)(.+?)\*\*\*(?!\*)/s, (m) => ({ type: "strong", children: [{ type: "em", children: inline(m[1]) }] })],
  [/^\*\*(?=\S)(.+?)\*\*(?!\*)/s, (m) => ({ type: "strong", children: inline(m[1]) })],
  [/^__(.+?)__(?!_)/s, (m) => ({ type: "u", children: inline(m[1]) })],
  [/^\*(?=[^\s*])([^*]+?)\*(?!\*)/s, (m) => ({ type: "em", children: inline(m[1]) })],
  [/^_([^_]+?)_(?![A-Za-z0-9_])/s, (m) => ({ type: "em", children: inline(m[1]) })],
  [/^~~(.+?)~~(?!~)/s, (m) => ({ type: "s", children: inline(m[1]) })],
];

/** Characters at which something other than text can begin. */
const SPECIAL = /[\\`<[h@|*_~\n]/;

function inline(text) {
  const out = [];
  const plain = (t) => {
    const last = out.at(-1);
    if (last?.type === "text") last.text += t;
    else out.push({ type: "text", text: t });
  };
  while (text) {
    if (text[0] === "\n") {
      out.push({ type: "break" });
      text = text.slice(1);
      continue;
    }
    let hit = null;
    if (SPECIAL.test(text[0])) {
      for (const [pattern, make] of INLINE) {
        const m = pattern.exec(text);
        if (m) {
          hit = m;
          const node = make(m);
          if (node.type === "text") plain(node.text);
          else out.push(node);
          break;
        }
      }
    }
    if (hit) {
      text = text.slice(hit[0].length);
      continue;
    }
    const next = text.slice(1).search(SPECIAL);
    const length = next < 0 ? text.length : next + 1;
    plain(text.slice(0, length));
    text = text.slice(length);
  }
  return out;
}

/** Parses a message's text into blocks. */
export function parse(text) {
  const out = [];
  let paragraph = [];
  const flush = () => {
    if (paragraph.length) out.push({ type: "p", children: inline(paragraph.join("\n")) });
    paragraph = [];
  };
  let rest = text;
  while (rest) {
    const fence = /^```(?:([\w+-]+)\n)?\n?([^]*?)\n?```\n?/.exec(rest);
    if (fence && fence[2]) {
      flush();
      out.push({ type: "pre", text: fence[2] });
      rest = rest.slice(fence[0].length);
      continue;
    }
    const quoteAll = /^>>> ([^]*)/.exec(rest);
    if (quoteAll) {
      flush();
      out.push({ type: "quote", children: parse(quoteAll[1]) });
      break;
    }
    const lines = /^(?:> [^\n]*(?:\n|$))+/.exec(rest);
    if (lines) {
      flush();
      out.push({ type: "quote", children: parse(lines[0].replace(/^> /gm, "").replace(/\n$/, "")) });
      rest = rest.slice(lines[0].length);
      continue;
    }
    const list = /^(?:\s*(?:[-*]|\d{1,9}\.) [^\n]+(?:\n|$))+/.exec(rest);
    if (list) {
      flush();
      const rows = list[0].trimEnd().split("\n");
      const ordered = /^\s*\d/.test(rows[0]);
      const items = rows.map((r) => ({
        deep: /^\s{2,}/.test(r),
        children: inline(r.replace(/^\s*(?:[-*]|\d{1,9}\.) /, "")),
      }));
      out.push({ type: "list", ordered, start: ordered ? parseInt(rows[0], 10) : 1, items });
      rest = rest.slice(list[0].length);
      continue;
    }
    const line = /^[^\n]*(?:\n|$)/.exec(rest)[0];
    const body = line.replace(/\n$/, "");
    const marked = /^(#{1,3}|-#) +(\S.*)$/.exec(body);
    if (marked) {
      flush();
      out.push({ type: marked[1] === "-#" ? "small" : "heading", level: marked[1].length, children: inline(marked[2]) });
    } else {
      paragraph.push(body);
    }
    rest = rest.slice(line.length);
  }
  flush();
  return out;
}

// Drawing.

const SIMPLE = { strong: "strong", em: "em", u: "u", s: "s" };

function drawInline(nodes, context) {
  return nodes.map((n) => {
    switch (n.type) {
      case "text": return n.text;
      case "break": return h("br");
      case "code": return h("code", { text: n.text });
      case "person": return drawPerson(n.id, context);
      case "role": return h("span", { class: "mention", text: "@deleted-role" });
      case "all": return h("span", { class: "mention", text: n.text });
      case "channel": return drawChannel(n.id, context);
      case "command": return drawCommand(n, context);
      case "time": return timestamp(n.seconds, n.style);
      case "emoji": return h("span", { class: "custom-emoji", text: `:${n.name}:` });
      case "link": return drawLink(n, context);
      case "spoiler": return drawSpoiler(n, context);
      default: return h(SIMPLE[n.type], {}, drawInline(n.children, context));
    }
  });
}

/**
 * A person shows as @unknown-user where the bot did not list them in the
 * message's mentions: that is what those see who do not know them.
 */
function drawPerson(id, { unknown }) {
  if (!store.people.has(id) || unknown?.includes(id)) {
    return h("span", { class: "mention mention-unknown", text: "@unknown-user", title: `The message does not mention ${store.person(id)?.name ?? id}, so that those who do not know them see this.` });
  }
  const self = id === store.world.me;
  return h("span", { class: self ? "mention mention-me" : "mention", data: { person: id }, text: "@" + store.nameOf(id) });
}

function drawChannel(id, { actions }) {
  const channel = store.channels.get(id);
  if (!channel) return h("span", { class: "mention", text: "# unknown" });
  return h("button", { type: "button", class: "mention mention-press", text: "#" + channel.name, onclick: () => actions.openChannel(id) });
}

function drawCommand({ path, id }, { actions }) {
  return h("button", { type: "button", class: "mention mention-press", text: "/" + path, onclick: () => actions.startCommand(path, id) });
}

const MESSAGE_LINK = /^https:\/\/(?:\w+\.)?discord\.com\/channels\/(@me|\d+)\/(\d+)(?:\/(\d+))?$/;

function drawLink({ url, children }, { actions }) {
  const inside = MESSAGE_LINK.exec(url);
  if (inside) {
    const channel = store.channels.get(inside[2]);
    const own = children.length === 1 && children[0].text === url;
    const name = (channel ? (channel.guild_id ? "#" + channel.name : "@" + store.bot.name) : "# unknown") + (inside[3] ? " › message" : "");
    return h("button", { type: "button", class: "mention mention-press", onclick: () => actions.openChannel(inside[2], inside[3]) },
      own ? name : drawInline(children, { actions }));
  }
  return h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, drawInline(children, { actions }));
}

function drawSpoiler(n, context) {
  const open = (e) => {
    const el = e.currentTarget;
    el.classList.add("open");
    el.removeAttribute("role");
    el.removeAttribute("tabindex");
    el.removeAttribute("aria-label");
  };
  return h("span", {
    class: "spoiler", role: "button", tabindex: "0", "aria-label": "Spoiler, press to show",
    onclick: open, onkeydown: (e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); open(e); } },
  }, h("span", {}, drawInline(n.children, context)));
}

function drawBlock(b, context) {
  switch (b.type) {
    case "pre": return h("pre", {}, h("code", { text: b.text }));
    case "quote": return h("blockquote", {}, b.children.map((c) => drawBlock(c, context)));
    case "small": return h("p", { class: "small" }, drawInline(b.children, context));
    case "heading": return h("p", { class: `heading heading-${b.level}`, role: "heading", "aria-level": String(b.level + 1) }, drawInline(b.children, context));
    case "list": return h(b.ordered ? "ol" : "ul", { start: b.ordered && b.start !== 1 ? String(b.start) : undefined },
      b.items.map((i) => h("li", { class: i.deep ? "deep" : undefined }, drawInline(i.children, context))));
    default: return h("p", {}, drawInline(b.children, context));
  }
}

/** Draws markdown. context: {unknown: ids, actions: {openChannel, startCommand}}. */
export function draw(text, context) {
  return h("div", { class: "markdown" }, parse(text).map((b) => drawBlock(b, context)));
}

// Speaking.

function sayInline(nodes) {
  return nodes.map((n) => {
    switch (n.type) {
      case "text": case "code": case "all": return n.text;
      case "break": return "\n";
      case "person": return "@" + store.nameOf(n.id);
      case "role": return "@role";
      case "channel": return "#" + (store.channels.get(n.id)?.name ?? "unknown");
      case "command": return "/" + n.path;
      case "time": return format(n.seconds, n.style);
      case "emoji": return `:${n.name}:`;
      case "spoiler": return "spoiler";
      default: return sayInline(n.children);
    }
  }).join("");
}

/** The text without markup, one line per block. */
export function plain(text) {
  const line = (b) => {
    if (b.type === "pre") return b.text;
    if (b.type === "quote") return b.children.map(line).join("\n");
    if (b.type === "list") return b.items.map((i) => sayInline(i.children)).join("\n");
    return sayInline(b.children);
  };
  return parse(text).map(line).join("\n");
}
