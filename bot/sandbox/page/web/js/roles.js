// Roles and permissions: the guild's roles, who has them, and what they are given
// and denied in a channel.

import { h, icon } from "./dom.js";
import { world } from "./api.js";
import { avatar } from "./avatar.js";
import { MAY } from "./channels.js";
import { fieldOf, textField } from "./fields.js";
import { openForm } from "./modal.js";
import { openPanel, panelRow } from "./panel.js";
import { openPicker } from "./picker.js";
import { store } from "./store.js";
import { failed } from "./toasts.js";
import { count } from "./words.js";

const CHECKBOXES = 22, TICK = 23;

/** Permission bits are text, numbers in overwrites, and nothing for none. */
const bitsOf = (bits) => BigInt(bits || 0);
const has = (bits, permission) => (bits & BigInt(permission.bit)) !== 0n;
const sum = (permissions) => permissions.reduce((bits, p) => bits | BigInt(p.bit), 0n);

/** The guild as it is now. */
const now = (guild) => store.guilds.get(guild.id) ?? guild;
const members = (role) => [...store.people.values()].filter((p) => p.roles.includes(role.id));
/** Discord itself keeps these: everyone's, and the app's own. */
const isFixed = (guild, role) => role.managed || role.id === guild.id;

const groups = (permissions) => [...Map.groupBy(permissions, (p) => p.group)];

/** The roles of a guild, the highest first. */
export function openRoles(guild) {
  openPanel({
    title: `Roles of ${guild.name}`,
    draw: () => [
      h("p", { class: "muted panel-about", text: "A role is a set of permissions. Roles are given to people in their menu, and can be given or denied more in a channel." }),
      h("ul", { class: "panel-list" }, [...now(guild).roles].reverse().map((role) => h("li", {}, panelRow(role.id, {
        mark: icon("shield", 18), title: role.name, hint: aboutRole(guild, role), press: () => editRole(guild, role),
      })))),
    ],
    foot: () => [h("button", { type: "button", class: "button button-primary", data: { key: "new" }, onclick: () => editRole(guild), text: "New role" })],
  });
}

function aboutRole(guild, role) {
  const bits = bitsOf(role.permissions);
  const given = store.world.permissions.filter((p) => has(bits, p)).length;
  return [
    bits & MAY.administrator ? "may do everything" : count(given, "permission"),
    role.id === guild.id ? "everybody has it" : role.managed ? "the app's own" : count(members(role).length, "member"),
    role.mentionable && "anyone may mention it",
  ].filter(Boolean).join(" · ");
}

/** Asks for a role's name and permissions; without a role it makes one. */
function editRole(guild, role) {
  const fixed = role && isFixed(guild, role);
  const bits = bitsOf(role?.permissions);
  const name = textField({ custom_id: "name", max_length: 100, value: role?.name, placeholder: "A name" }, "Name");
  const tick = fieldOf({ type: TICK, custom_id: "mentionable", default: role?.mentionable }, "Anyone may @mention this role");
  const boxes = groups(store.world.permissions).map(([group, list]) => fieldOf({
    type: CHECKBOXES, custom_id: group, min_values: 0, max_values: list.length, required: false,
    options: list.map((p) => ({ label: p.name, value: p.bit, default: has(bits, p) })),
  }, group));
  openForm({
    title: role ? `Role ${role.name}` : "New role",
    parts: [
      ...(fixed ? [] : [name]),
      ...(role?.id === guild.id ? [] : [tick]),
      ...boxes.map((box) => ({ ...box, box: fold(box) })),
      ...(role && !fixed ? [removal(guild, role)] : []),
    ],
    submitLabel: role ? "Save" : "Create",
    submit: async (values) => {
      const permissions = boxes.flatMap((box) => values[box.id]).reduce((all, bit) => all | BigInt(bit), 0n);
      const body = { permissions: String(permissions), ...(values.mentionable && { mentionable: values.mentionable[0] === "true" }) };
      if (values.name) body.name = values.name[0].trim();
      if (!role && now(guild).roles.some((r) => r.name === body.name)) throw new Error("There is a role of that name already.");
      if (role) await world("PATCH", `roles/${role.id}`, body, guild.id);
      else await world("POST", "roles", body, guild.id);
    },
  });
}

/** Folds a group of checkboxes away, and says how many are ticked. */
function fold(field) {
  const summary = h("summary", {});
  const all = field.el.querySelectorAll("input").length;
  const say = () => { summary.textContent = `${field.label}: ${field.values().length} of ${all}`; };
  say();
  field.el.addEventListener("change", say);
  field.box.classList.add("folded-field");
  return h("details", { class: "fold" }, summary, field.box);
}

function removal(guild, role) {
  return h("div", { class: "field" }, h("button", { type: "button", class: "button button-danger", text: "Delete this role", onclick: async (e) => {
    const dialog = e.currentTarget.closest("dialog");
    try {
      await world("DELETE", `roles/${role.id}`, undefined, guild.id);
      dialog.close();
    } catch (err) {
      failed("Delete role", err);
    }
  } }));
}

/** Asks which roles somebody has. */
export function openPersonRoles(person, guild) {
  const roles = [...now(guild).roles].reverse().filter((r) => !isFixed(guild, r));
  if (!roles.length) return openRoles(guild);
  openForm({
    title: `Roles of ${store.nameOf(person.id)}`,
    parts: [
      fieldOf({
        type: CHECKBOXES, custom_id: "roles", min_values: 0, max_values: roles.length, required: false,
        options: roles.map((r) => ({ label: r.name, value: r.id, description: aboutRole(guild, r), default: person.roles.includes(r.id) })),
      }, `In ${guild.name}`),
    ],
    submitLabel: "Save",
    submit: async ({ roles: wanted }) => {
      for (const r of roles) {
        if (wanted.includes(r.id) === person.roles.includes(r.id)) continue;
        await world(wanted.includes(r.id) ? "PUT" : "DELETE", `people/${person.id}/roles/${r.id}`, undefined, guild.id);
      }
    },
  });
}

/** What roles and people are given and denied in a channel. */
export function openOverwrites(channel) {
  const guild = store.guilds.get(channel.guild_id);
  const current = () => store.channels.get(channel.id) ?? channel;
  const targets = () => [
    ...[...now(guild).roles].reverse().map((r) => ({ id: r.id, name: r.name, role: r })),
    ...[...store.people.values()].filter((p) => p.guilds.includes(guild.id) && !p.crowd).map((p) => ({ id: p.id, name: store.nameOf(p.id), person: p })),
  ];
  const edit = (target) => editOverwrite(current(), target);
  openPanel({
    title: `Permissions in #${channel.name}`,
    draw: () => {
      const all = targets();
      const set = (current().overwrites ?? []).map((o) => ({ o, target: all.find((t) => t.id === o.id) })).filter(({ target }) => target);
      return [
        h("p", { class: "muted panel-about", text: "What is given or denied here comes after what the roles say: first everyone's, then that of roles, then that of single people." }),
        set.length === 0 && h("p", { class: "panel-empty", text: "Nothing is given or denied here." }),
        h("ul", { class: "panel-list" }, set.map(({ o, target }) => h("li", {}, panelRow(target.id, {
          mark: target.person ? avatar(target.person, 24) : icon("shield", 18), title: target.name, hint: aboutOverwrite(o), press: () => edit(target),
        })))),
      ].filter(Boolean);
    },
    foot: () => [h("button", { type: "button", class: "button button-primary", "aria-haspopup": "listbox", "aria-expanded": "false", data: { key: "add" }, text: "Add a role or a person", onclick: async (e) => {
      const all = targets();
      const taken = (current().overwrites ?? []).map((o) => o.id);
      const [id] = await openPicker(e.currentTarget, {
        label: "Role or person", min: 1, max: 1, chosen: [],
        items: all.filter((t) => !taken.includes(t.id)).map((t) => ({ value: t.id, label: t.name, hint: t.person ? "@" + t.person.username : "role", person: t.person })),
      }) ?? [];
      if (id) edit(all.find((t) => t.id === id));
    } })],
  });
}

function aboutOverwrite({ allow, deny }) {
  const names = (bits, sign) => store.world.permissions.filter((p) => has(bitsOf(bits), p)).map((p) => `${sign} ${p.name}`);
  return [...names(allow, "✓"), ...names(deny, "✕")].join(" · ");
}

const CHOICES = [["deny", "✕", "Deny"], ["inherit", "/", "As the roles say"], ["allow", "✓", "Allow"]];

function editOverwrite(channel, target) {
  const old = (channel.overwrites ?? []).find((o) => o.id === target.id) ?? { allow: "0", deny: "0" };
  const offered = store.world.permissions.filter((p) => p.in_channels);
  const state = new Map(offered.map((p) => [p.bit, has(bitsOf(old.allow), p) ? "allow" : has(bitsOf(old.deny), p) ? "deny" : "inherit"]));
  // Bits that this list does not show stay as they are.
  const shown = sum(offered);
  const row = (p) => h("fieldset", { class: "tri" }, h("legend", { text: p.name }),
    h("div", { class: "tri-choices" }, CHOICES.map(([value, sign, words]) => h("label", { class: `tri-choice tri-${value}`, title: words },
      h("input", { type: "radio", name: `tri-${p.bit}`, value, checked: state.get(p.bit) === value, "aria-label": words, onchange: () => state.set(p.bit, value) }),
      h("span", { "aria-hidden": "true", text: sign })))));
  openForm({
    title: `${target.name} in #${channel.name}`,
    parts: groups(offered).map(([group, list]) => h("section", { class: "tri-group" }, h("h3", { class: "list-title", text: group }), list.map(row))),
    submitLabel: "Save",
    submit: async () => {
      const with_ = (value, before) => String((bitsOf(before) & ~shown) | sum(offered.filter((p) => state.get(p.bit) === value)));
      await world("PUT", `channels/${channel.id}/overwrites/${target.id}`, { allow: with_("allow", old.allow), deny: with_("deny", old.deny) }, channel.guild_id);
    },
  });
}
