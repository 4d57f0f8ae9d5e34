// The log: messages of the open channel. A message keeps its element through
// every edit; only its inside is drawn anew, and the focus stays where it was.

import { $, fill, h, icon } from "./dom.js";
import { avatar } from "./avatar.js";
import { clock } from "./timestamps.js";
import { draw } from "./markdown.js";
import { drawComponents } from "./components.js";
import { drawAttachments, drawEmbeds } from "./media.js";
import { enableArrows, focusAgain, focusIn, placeIn, settle } from "./roving.js";
import { store } from "./store.js";
import * as actions from "./actions.js";
import { act } from "./channels.js";
import { failed, toast } from "./toasts.js";
import { emptyState } from "./empty.js";
import { messageMenu } from "./menu.js";
import { chooseReaction, drawReactions, mayReact } from "./reactions.js";
import { firstLine, isSystem, sayMessage, systemWords } from "./summary.js";
import { drawSystem, drawThreadLink } from "./system.js";

const EPHEMERAL = 64, LOADING = 128;
const GROUP_WITHIN = 7 * 60 * 1000;

const log = $("log");
const list = h("div", { class: "messages" });
const elements = new Map(); // message id → its element
const drawn = new Map(); // message id → all that it was drawn from
let startCommand = () => {};

/** What texts of messages can do when they are pressed. */
const textActions = {
  openChannel: async (id, message) => {
    if (store.current.id !== id) await store.open(id);
    if (message) showMessage(message);
  },
  startCommand: (path) => startCommand(path),
  press: actions.press,
  select: actions.select,
};

/** Scrolls to a message and marks it for a moment. */
export async function showMessage(id) {
  for (let size = -1; !elements.has(id) && store.more && size !== store.messages.size;) {
    size = store.messages.size;
    await store.older();
  }
  const el = elements.get(id);
  if (!el) {
    toast({ title: "Message", text: "That message is not here any more." });
    return;
  }
  el.scrollIntoView({ block: "center" });
  el.classList.remove("flash");
  requestAnimationFrame(() => el.classList.add("flash"));
  el.tabIndex = -1;
  el.focus({ preventScroll: true });
}

/** Says that there is something below what is read, and leads there. */
const news = h("button", { type: "button", class: "news", hidden: true, onclick: () => { toBottom(); log.focus({ preventScroll: true }); } }, icon("chevron", 16), "New messages");

const atBottom = () => log.scrollHeight - log.scrollTop - log.clientHeight < 80;
const toBottom = () => { log.scrollTop = log.scrollHeight; };

/**
 * Follows the conversation, unless the reader has scrolled away from its end: then
 * what they read stays where it is.
 */
function keepPlace(change) {
  const follow = atBottom();
  const top = log.getBoundingClientRect().top;
  const read = follow ? [] : [...list.querySelectorAll(".message")].map((el) => ({ el, at: el.getBoundingClientRect() })).filter(({ at }) => at.bottom > top);
  change();
  if (follow) return toBottom();
  const anchor = read.find(({ el }) => el.isConnected);
  if (anchor) log.scrollTop += anchor.el.getBoundingClientRect().top - anchor.at.top;
}

function authorButton(id) {
  return h("button", {
    type: "button", class: "author", tabindex: "-1", data: { person: id }, "aria-haspopup": "menu",
    text: store.nameOf(id),
  });
}

const badge = () => h("span", { class: "badge", text: "APP" });

const SLASH = 20, CONTEXT_MENU = 23;

/** A follow-up names the command too, but shows what it follows. */
const isAnswer = (snap) => snap.command_name && (snap.type === SLASH || snap.type === CONTEXT_MENU);

/** The line above a message: who asked for it, or what it answers. */
function drawOrigin(snap) {
  const line = (id, ...words) => h("div", { class: "origin" }, id && avatar(store.person(id) ?? store.bot, 16), words);
  const name = (id) => h("span", { class: "origin-name", text: store.nameOf(id) });
  if (isAnswer(snap)) {
    return line(snap.invoker_id, name(snap.invoker_id), " used ", h("span", { class: "origin-command", text: (snap.type === SLASH ? "/" : "") + snap.command_name }));
  }
  if (!snap.reply_to) return null;
  const { author, text, gone } = originalOf(snap);
  if (gone) return line(null, text);
  return line(author, h("button", { type: "button", class: "origin-link", tabindex: "-1", onclick: () => showMessage(snap.reply_to) }, author && [name(author), " "], text));
}

/** What a reply shows of the message that it answers, as it is now: {author, text, gone}. */
function originalOf(snap) {
  const to = store.messages.get(snap.reply_to);
  if (to) return { author: to.author_id, text: firstLine(to) };
  return store.mayHave(snap.reply_to) ? { text: "An older message" } : { text: "Original message was deleted", gone: true };
}

/** Draws the replies to a message anew: it has changed, or is gone. */
function drawReplies(id) {
  for (const snap of store.messages.values()) if (snap.reply_to === id) drawMessage(snap, elements.get(snap.id));
}

function drawBody(snap) {
  if (snap.flags & LOADING) {
    return [h("p", { class: "thinking" }, h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")), `${store.nameOf(snap.author_id)} is thinking …`)];
  }
  const ctx = { snap, unknown: snap.unknown, actions: textActions, rows: 0 };
  return [
    snap.content ? draw(snap.content, ctx) : null,
    ...drawEmbeds(snap.embeds, ctx),
    ...drawAttachments(snap, ctx),
    ...drawComponents(snap.components ?? [], ctx),
  ];
}

async function dismiss(snap) {
  try {
    await act("dismiss", { message: snap.id });
  } catch (err) {
    failed("Dismiss", err);
  }
}

/** All that a message is drawn from: itself, the names in it, what it answers, and the language of what the page adds. */
function sourceOf(snap) {
  const text = JSON.stringify([snap, snap.reply_to && originalOf(snap)]);
  const ids = text.match(/\d{15,20}/g) ?? [];
  const named = ids.map((id) => (store.person(id) ? store.nameOf(id) : store.channels.get(id)?.name ?? store.role(id)?.name));
  const thread = store.channels.get(snap.thread_id);
  return [text, store.world.me, store.me.locale, store.me.roles.join(), store.current?.may, thread && `${thread.name} ${thread.archived}`, ...named].join("\n");
}

/** Whether a message would look the same if it were drawn again. */
const isDrawn = (snap) => drawn.get(snap.id) === sourceOf(snap);

/** The few buttons beside a message that is pointed at. The menu has the same. */
function toolsOf(snap) {
  const tool = (mark, label, press) => h("button", { type: "button", class: "icon-button", tabindex: "-1", "aria-label": label, title: label, onclick: press }, icon(mark, 18));
  return h("div", { class: "tools" },
    mayReact(snap) && tool("smile", "Add a reaction", (e) => chooseReaction(e.currentTarget, snap)),
    tool("more", "Message options", (e) => messageMenu(e.currentTarget, store.messages.get(snap.id) ?? snap)));
}

function isMentioned(snap) {
  return snap.mentions?.includes(store.world.me) || snap.mention_everyone || snap.mention_roles?.some((id) => store.me.roles.includes(id));
}

/** What Discord itself has written is one line, in the name of who did it. */
function drawSystemMessage(snap, el) {
  el.className = "message message-system";
  el.dataset.author = snap.author_id;
  el.setAttribute("aria-label", `${systemWords(snap)} ${new Date(snap.created).toLocaleTimeString(store.me.locale, { timeStyle: "short" })}`);
  const person = (id) => authorButton(id);
  fill(el, ...drawSystem(snap, { openChannel: textActions.openChannel, showMessage, person }), h("div", { class: "aftermath" }), h("div", { class: "beneath" }, drawReactions(snap)), toolsOf(snap));
}

function drawMessage(snap, el) {
  drawn.set(snap.id, sourceOf(snap));
  const place = placeIn(el), focus = focusIn(el);
  if (isSystem(snap)) {
    drawSystemMessage(snap, el);
    if (focus) focusAgain(el, focus);
    return;
  }
  const isBot = store.person(snap.author_id)?.bot;
  const secret = (snap.flags & EPHEMERAL) !== 0;
  const mentionsMe = !secret && isMentioned(snap) && snap.author_id !== store.world.me;
  const grouped = el.classList.contains("grouped") ? " grouped" : "";
  el.className = "message" + grouped + (secret ? " message-private" : "") + (mentionsMe ? " message-mention" : "");
  el.dataset.author = snap.author_id;
  el.dataset.edited = snap.edited_at ?? ""; // for who presses and must look first
  const time = new Date(snap.created);
  el.setAttribute("aria-label", (secret ? "Only you can see this. " : "") + store.nameOf(snap.author_id) + ", " + time.toLocaleTimeString(store.me.locale, { timeStyle: "short" }));
  fill(el,
    drawOrigin(snap),
    h("div", { class: "gutter" }, h("span", { data: { person: snap.author_id } }, avatar(store.person(snap.author_id) ?? store.bot, 40)), h("span", { class: "gutter-time" }, clock(snap.created, true))),
    h("div", { class: "byline" }, authorButton(snap.author_id), isBot && badge(), clock(snap.created), snap.pinned && h("span", { class: "pinned" }, icon("pin", 14), "Pinned")),
    h("div", { class: "body", lang: store.me.locale }, drawBody(snap),
      isEdited(snap) && h("span", { class: "edited", title: new Date(snap.edited_at).toLocaleString(store.me.locale), text: "(edited)" })),
    h("div", { class: "aftermath" }),
    h("div", { class: "beneath" }, drawThreadLink(snap, textActions.openChannel), drawReactions(snap)),
    toolsOf(snap),
    secret ? h("div", { class: "private-note" }, icon("eye", 16), "Only you can see this", h("span", { "aria-hidden": "true", text: "·" }),
      h("button", { type: "button", class: "text-button", text: "Dismiss message", onclick: () => dismiss(snap) })) : null,
  );
  settle(el, place);
  showPending(snap.id);
  if (focus) focusAgain(el, focus);
}

/** Ephemeral and loading messages do not show that they were edited. */
const isEdited = (snap) => snap.edited_at && !(snap.flags & (EPHEMERAL | LOADING));

/** Shows which component waits for an answer, or that none came. */
function showPending(id) {
  const el = elements.get(id);
  if (!el) return;
  const waiting = actions.pending.get(id);
  el.classList.toggle("message-waiting", waiting !== undefined);
  for (const b of el.querySelectorAll(".button, .select")) {
    b.classList.toggle("waiting", waiting !== undefined && b.dataset.id === waiting);
  }
  const text = actions.failures.get(id);
  el.querySelector(".aftermath")?.replaceChildren(...(text ? [h("p", { class: "failed" }, icon("warn", 16), text)] : []));
}

/**
 * A press can end one message and begin another, as a rematch does: when what was
 * pressed can be pressed no more, the focus goes on to the message that came since.
 */
function moveOn() {
  const { message, component } = actions.lastPress;
  const el = elements.get(message);
  if (!el?.contains(document.activeElement)) return;
  const still = [...el.querySelectorAll("[data-row]")].some((b) => b.dataset.id === component && b.getAttribute("aria-disabled") !== "true");
  const newest = [...elements.values()].at(-1);
  if (still || newest === el || newest.dataset.author !== el.dataset.author) return;
  const stop = newest.querySelector('[data-row][tabindex="0"]:not([aria-disabled])');
  if (!stop || !(Number(newest.dataset.came) >= actions.lastPress.at)) return;
  stop.focus({ preventScroll: true });
}

function groupWith(previous, snap) {
  return previous && !isSystem(previous) && !isSystem(snap) && previous.author_id === snap.author_id && !isAnswer(snap) && !snap.reply_to &&
    (previous.flags & EPHEMERAL) === (snap.flags & EPHEMERAL) &&
    new Date(snap.created) - new Date(previous.created) < GROUP_WITHIN;
}

function regroup() {
  let previous = null;
  let day = "";
  for (const old of list.querySelectorAll(".day")) old.remove();
  for (const [id, snap] of store.messages) {
    const el = elements.get(id);
    if (!el) continue;
    const date = new Date(snap.created).toDateString();
    if (date !== day) {
      day = date;
      el.before(h("div", { class: "day", role: "separator" }, h("span", { text: new Intl.DateTimeFormat(store.me.locale, { dateStyle: "long" }).format(new Date(snap.created)) })));
      previous = null;
    }
    el.classList.toggle("grouped", groupWith(previous, snap) === true);
    previous = snap;
  }
}

function forget(id) {
  elements.get(id)?.remove();
  elements.delete(id);
  drawn.delete(id);
}

/** Draws what was read: messages that are there already and have not changed are left alone. */
function drawAll() {
  const hadFocus = list.contains(document.activeElement);
  for (const id of [...elements.keys()]) if (!store.messages.has(id)) forget(id);
  for (const day of list.querySelectorAll(".day")) day.remove();
  let last = null; // the message before this one
  for (const snap of store.messages.values()) {
    let el = elements.get(snap.id);
    if (!el) elements.set(snap.id, el = h("article", { data: { message: snap.id } }));
    if (!isDrawn(snap)) drawMessage(snap, el);
    // Moving an element would take the focus from it.
    const next = last ? last.nextElementSibling : list.firstElementChild;
    if (next !== el) list.insertBefore(el, next);
    last = el;
  }
  regroup();
  drawCommands();
  if (hadFocus && !list.contains(document.activeElement)) log.focus();
  showEmpty();
  older.hidden = !store.more;
}

function showEmpty() {
  empty.replaceChildren(...(store.messages.size === 0 && !store.more ? [emptyState((path) => startCommand(path))] : []));
}

/** Commands that wait for their answer, or never got one. */
function drawCommands() {
  const mine = [...actions.commands].filter(([, c]) => c.channel === store.current?.id);
  fill(sending, mine.map(([id, c]) => h("div", { class: c.state === "failed" ? "sending sending-failed" : "sending" },
    c.state === "failed" ? icon("warn", 18) : h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
    h("span", {}, h("b", { text: c.name }), " ", h("span", { text: c.state === "failed" ? c.text : "Sending …" })),
    c.state === "failed" && h("span", { class: "private-note" }, icon("eye", 16), "Only you can see this", h("span", { "aria-hidden": "true", text: "·" }),
      h("button", { type: "button", class: "text-button", text: "Dismiss message", onclick: () => actions.forgetCommand(id) })))));
}

const older = h("button", { type: "button", class: "older", text: "Show older messages", hidden: true, onclick: () => store.older() });
const empty = h("div", {});
const sending = h("div", {});

/**
 * Arrows go from message to message when the log or a message has the focus, so that
 * everything can be reacted to and pinned by keyboard; Enter opens its menu.
 */
function walk(e) {
  const here = e.target.matches(".message") ? e.target : null;
  if ((!here && e.target !== log) || e.ctrlKey || e.altKey || e.metaKey || e.shiftKey) return;
  const all = [...elements.values()], at = here ? all.indexOf(here) : all.length;
  const next = { ArrowUp: all[at - 1], ArrowDown: all[at + 1] }[e.key];
  if (next) {
    next.tabIndex = -1;
    next.focus();
  } else if (here && e.key === "Enter") {
    messageMenu(here, store.messages.get(here.dataset.message));
  } else if (here && e.key === "Escape") {
    log.focus();
  } else {
    return;
  }
  e.preventDefault();
}

/** Puts the log together. startCommandWith(path) opens the composer with a command. */
export function startLog(startCommandWith) {
  startCommand = startCommandWith;
  const scroller = h("div", { class: "scroller" }, empty, older, list, sending);
  log.append(scroller);
  enableArrows(log, (el) => el.closest(".message"));
  log.addEventListener("keydown", walk);
  log.after(news);
  store.on("channel", () => {
    news.hidden = true;
    elements.clear();
    drawn.clear();
    list.replaceChildren();
    empty.replaceChildren();
    older.hidden = true;
    drawCommands();
  });
  store.on("history", () => keepPlace(drawAll));
  store.on("commands", showEmpty);
  // Names and languages are part of messages; whoever else comes or goes is not.
  store.on("world", () => keepPlace(() => {
    const stale = [...store.messages.values()].filter((snap) => elements.has(snap.id) && !isDrawn(snap));
    for (const snap of stale) drawMessage(snap, elements.get(snap.id));
    if (stale.length) regroup();
  }));
  store.on("message", ({ snap, previous }) => keepPlace(() => {
    let el = elements.get(snap.id);
    if (!el) {
      el = h("article", { data: { message: snap.id, came: String(performance.now()) } });
      elements.set(snap.id, el);
      list.append(el);
      empty.replaceChildren();
    }
    if (!previous && !atBottom()) news.hidden = false;
    const changed = firstLine(snap) !== (previous && firstLine(previous));
    drawMessage(snap, el);
    if (!previous) {
      el.classList.add("arrived");
      regroup();
    }
    if (changed) sayMessage(snap, previous !== undefined);
    if (changed) drawReplies(snap.id);
    moveOn();
  }));
  store.on("removed", ({ id }) => {
    const el = elements.get(id);
    if (!el) return;
    const hadFocus = el.contains(document.activeElement);
    forget(id);
    drawReplies(id);
    regroup();
    showEmpty();
    if (hadFocus) log.focus();
  });
  store.on("pending", (id) => keepPlace(() => showPending(id)));
  store.on("commands-sent", () => keepPlace(drawCommands));
  // Who says something wants to see it, and what it is answered.
  store.on("said", toBottom);
  // Phones' keyboards change the height of the log. Pictures change that of what is in it,
  // and so do messages that come into sight, whose height was a guess. The end stays in sight.
  let following = true;
  const resized = new ResizeObserver(() => { if (following) toBottom(); });
  resized.observe(log);
  resized.observe(scroller);
  log.addEventListener("scroll", () => {
    following = atBottom();
    if (following) news.hidden = true;
  }, { passive: true });
}
