// Markdown as elements, and as words.

import { h } from "./dom.js";
import { parse } from "./markup.js";
import { format, timestamp } from "./timestamps.js";
import { store } from "./store.js";

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
    case "pre": return h("pre", { data: b.language ? { language: b.language } : {} }, h("code", { text: b.text }));
    case "quote": return h("blockquote", {}, b.children.map((c) => drawBlock(c, context)));
    case "small": return h("p", { class: "small" }, drawInline(b.children, context));
    case "heading": return h("p", { class: `heading heading-${b.level}`, role: "heading", "aria-level": String(b.level + 1) }, drawInline(b.children, context));
    case "list": return h(b.ordered ? "ol" : "ul", { start: b.ordered && b.start !== 1 ? String(b.start) : undefined },
      b.items.map((i) => h("li", {}, drawInline(i.children, context), i.list && drawBlock(i.list, context))));
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
    if (b.type === "list") return b.items.map((i) => sayInline(i.children) + (i.list ? "\n" + line(i.list) : "")).join("\n");
    return sayInline(b.children);
  };
  return parse(text).map(line).join("\n");
}
