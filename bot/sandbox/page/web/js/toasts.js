// Notifications: those that a pinged person's device would show, and short words
// of the page itself.

import { $, h, icon } from "./dom.js";
import { avatar } from "./avatar.js";
import { plain } from "./markdown.js";
import { alert, say } from "./announce.js";
import { store } from "./store.js";

const STAY = 8000;

/** Shows and says that something did not work. */
export function failed(title, err) {
  toast({ title, text: err.message, speak: alert });
}

/**
 * Shows a note in the corner and says it. press, if given, is done when it is
 * pressed; speak is how it is said, null for what somebody else says; mark is an icon.
 */
export function toast({ title, text, empty, person, press, speak = say, mark = "warn" }) {
  const close = () => el.remove();
  const body = [
    h("span", { class: "toast-title", text: title }),
    h("span", { class: empty ? "toast-text toast-empty" : "toast-text", text: empty ?? text }),
  ];
  const el = h("div", { class: "toast" },
    person ? avatar(person, 32) : h("span", { class: "toast-mark" }, icon(mark, 20)),
    press
      ? h("button", { type: "button", class: "toast-body", onclick: () => { press(); close(); } }, body)
      : h("div", { class: "toast-body" }, body),
    h("button", { type: "button", class: "icon-button", "aria-label": "Close notification", onclick: close }, icon("close", 16)));
  $("toasts").append(el);
  speak?.(`${title}: ${empty ?? text}`);
  while ($("toasts").children.length > 4) $("toasts").firstElementChild.remove();
  // It waits while it is pointed at or has the focus.
  let timer = setTimeout(close, STAY);
  const hold = () => clearTimeout(timer);
  const release = () => { hold(); timer = setTimeout(close, STAY); };
  el.addEventListener("pointerenter", hold);
  el.addEventListener("pointerleave", release);
  el.addEventListener("focusin", hold);
  el.addEventListener("focusout", release);
}

store.on("ping", ({ snap }) => {
  const channel = store.channels.get(snap.channel_id);
  const where = channel?.guild_id ? ` (#${channel.name}, ${store.guilds.get(channel.guild_id)?.name ?? ""})` : "";
  toast({
    title: store.nameOf(snap.author_id) + where,
    text: plain(snap.content ?? ""),
    // A message in components v2 has no content for a notification to show.
    empty: snap.content ? undefined : "The notification has no text",
    person: store.person(snap.author_id),
    press: () => store.open(snap.channel_id),
    // In the open channel the message itself is said.
    speak: snap.channel_id === store.current?.id ? null : say,
  });
});

// Whom nobody made again after the server was restarted one can no longer be.
store.on("person", (was) => {
  if ([...store.people.values()].some((p) => p.username === was.username)) return;
  toast({ title: was.name, text: `Nobody of that name is here any more. You are ${store.me.name}.` });
});

store.on("nobody", (name) => {
  toast({ title: "@" + name, text: `Nobody here has that username. You are ${store.me.name}.` });
});
