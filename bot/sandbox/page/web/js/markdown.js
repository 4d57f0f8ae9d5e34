// Markdown as elements, and as words.

import { h } from "./dom.js";
import { picture, withEmojis } from "./emoji.js";
import { inline, parse } from "./markup.js";
import { format, timestamp } from "./timestamps.js";
import { signedTitle } from "./channels.js";
import { store } from "./store.js";

// Drawing.

const SIMPLE = { strong: "strong", em: "em", u: "u", s: "s" };

/** What mentions are in a title: nothing but what was written. */
const WRITTEN = { person: (n) => `<@${n.id}>`, role: (n) => `<@&${n.id}>`, channel: (n) => `<#${n.id}>`, all: (n) => n.text };

function drawInline(nodes, context) {
  return nodes.flatMap((n) => {
    if (context.title && n.type in WRITTEN) return WRITTEN[n.type](n);
    switch (n.type) {
      case "text": return withEmojis(n.text);
      case "break": return h("br");
      case "code": return h("code", { text: n.text });
      case "person": return drawPerson(n.id, context);
      case "role": return drawRole(n.id);
      case "all": return h("span", { class: "mention", text: n.text });
      case "channel": return drawChannel(n.id, context);
      case "command": return drawCommand(n, context);
      case "time": return timestamp(n.seconds, n.style);
      case "emoji": return picture(n);
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

function drawRole(id) {
  const role = store.role(id);
  return h("span", { class: store.me.roles.includes(id) ? "mention mention-me" : "mention", text: role ? "@" + role.name : "@deleted-role" });
}

function drawChannel(id, { actions }) {
  const channel = store.channels.get(id);
  if (!channel) return h("span", { class: "mention", text: "# unknown" });
  return h("button", { type: "button", class: "mention mention-press", text: "#" + channel.name, onclick: () => actions.openChannel(id) });
}

function drawCommand({ path }, { actions }) {
  return h("button", { type: "button", class: "mention mention-press", text: "/" + path, onclick: () => actions.startCommand(path) });
}

const MESSAGE_LINK = /^https:\/\/(?:\w+\.)?discord\.com\/channels\/(@me|\d+)\/(\d+)(?:\/(\d+))?$/;

/** What a link to a channel or a message shows in its place; null for other links. */
function chipOf({ url, children }) {
  const inside = MESSAGE_LINK.exec(url);
  if (!inside) return null;
  const [, , channelID, message] = inside;
  const channel = store.channels.get(channelID);
  const name = (channel ? signedTitle(channel) : "# unknown") + (message ? " › message" : "");
  const bare = children.length === 1 && children[0].text === url;
  return { channelID, message, name: bare ? name : null };
}

const linkTo = (url, children) => h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, children);

function drawLink(n, context) {
  const chip = chipOf(n);
  if (!chip) return linkTo(n.url, drawInline(n.children, context));
  return h("button", { type: "button", class: "mention mention-press", onclick: () => context.actions.openChannel(chip.channelID, chip.message) },
    chip.name ?? drawInline(n.children, context));
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

/** Draws the title of an embed or of one of its fields: a line, in which nobody is mentioned. All of it is a link if url is given. */
export function drawTitle(text, context, url) {
  const words = drawInline(inline(text), { ...context, title: true });
  return url ? linkTo(url, words) : words;
}

// Speaking.

function sayInline(nodes) {
  return nodes.map((n) => {
    switch (n.type) {
      case "text": case "code": case "all": return n.text;
      case "break": return "\n";
      case "person": return "@" + store.nameOf(n.id);
      case "role": return "@" + (store.role(n.id)?.name ?? "deleted-role");
      case "channel": return "#" + (store.channels.get(n.id)?.name ?? "unknown");
      case "command": return "/" + n.path;
      case "time": return format(n.seconds, n.style);
      case "emoji": return `:${n.name}:`;
      case "spoiler": return "spoiler";
      case "link": return chipOf(n)?.name ?? sayInline(n.children);
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
