// The people of the guild. Pressing somebody opens their menu.

import { $, h, icon, refill } from "./dom.js";
import { avatar } from "./avatar.js";
import { isParty } from "./channels.js";
import { LOCALES } from "./locales.js";
import { textField } from "./fields.js";
import { openForm } from "./modal.js";
import { post } from "./api.js";
import { enableSteps } from "./roving.js";
import { store } from "./store.js";
import { toast } from "./toasts.js";

const aside = $("people");

function personItem(p) {
  const self = p.id === store.world.me;
  const badges = store.badged.get(p.id);
  return h("li", {}, h("button", { type: "button", class: "person", data: { person: p.id, key: p.id }, "aria-haspopup": "menu" },
    avatar(p, 32),
    h("span", { class: "person-text" },
      h("span", { class: "person-name" }, h("span", { text: (store.current?.guild_id && p.nick) || p.name }), p.bot && h("span", { class: "badge", text: "APP" })),
      h("span", { class: "muted", text: [self && "you", p.moderator && "moderator", p.sessions === 0 && "not connected", p.locale !== "en-US" && !p.bot && (LOCALES[p.locale] ?? p.locale)].filter(Boolean).join(" · ") })),
    badges ? h("span", { class: "count", title: "Mentioned since you were them" }, h("span", { class: "spoken", text: "mentioned " }), String(badges)) : null));
}

/** Asks for a name, lets that person join the guild and becomes them. */
export function newPerson() {
  const before = store.me.name;
  const [guild] = store.guilds.values();
  openForm({
    title: "Somebody new",
    parts: [
      h("p", { class: "field muted", text: `They join ${guild?.name ?? "the guild"}, and this tab becomes theirs.` }),
      textField({ custom_id: "name", max_length: 32, placeholder: "A name" }, "Name"),
    ],
    submitLabel: "Join",
    submit: async ({ name: [name] }) => {
      const { user } = await post("person", { name: name.trim() });
      store.become(user);
      toast({ mark: "people", title: `You are ${name.trim()}`, text: `${before} is still here: press your name to be them again.` });
    },
  });
}

function drawPeople() {
  const here = [...store.people.values()].filter((p) => {
    if (store.current && isParty(store.current)) return store.current.people.includes(p.id);
    if (!store.current?.guild_id) return p.id === store.world.me || p.id === (store.current?.app ?? store.bot.id);
    return p.guilds.includes(store.current.guild_id);
  });
  const group = (title, list) => list.length > 0 && h("section", {}, h("h2", { class: "list-title", text: title }), h("ul", {}, list.map(personItem)));
  refill(aside,
    group("People", here.filter((p) => !p.bot && !p.crowd)),
    h("button", { type: "button", class: "add-person", data: { key: "new" }, onclick: newPerson }, icon("plus", 18), "Somebody new"),
    group("Apps", here.filter((p) => p.bot)),
    group("Playing by themselves", here.filter((p) => p.crowd)));
}

export function startPeople() {
  for (const topic of ["world", "channel", "unread"]) store.on(topic, drawPeople);
  enableSteps(aside, () => [...aside.querySelectorAll(".person, .add-person")], { ArrowDown: 1, ArrowUp: -1 });
}
