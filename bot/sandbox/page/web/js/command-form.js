// One command being filled in: its name, a field for each option that was taken,
// and a last input that offers the others.

import { h, icon, newId } from "./dom.js";
import { Listbox } from "./listbox.js";
import { OPTION, offers, read } from "./commands.js";
import { sendCommand, suggestions } from "./actions.js";
import { alert } from "./announce.js";
import { encode } from "./uploads.js";

const ASK_AFTER = 150; // ms without typing before the app is asked for suggestions

export class CommandForm {
  #fields = []; // {option, input, error, chosen}
  #list;
  #busy = false;

  /** hooks: popup (element), onClose(text), onSent(), onError(text). */
  constructor(command, hooks) {
    this.command = command;
    this.hooks = hooks;
    this.#list = new Listbox({ host: hooks.popup, label: "Options", onTake: (item) => item.take() });
    this.rest = h("input", { class: "option-rest", type: "text", "aria-label": `${command.words}: add an option, or press Enter to send`, enterkeyhint: "send", spellcheck: "false", autocapitalize: "none" });
    this.name = h("span", { class: "command-name", text: "/" + command.words });
    this.fields = h("div", { class: "command-fields" }, this.name, this.rest);
    this.send = h("button", { type: "submit", class: "send", "aria-label": `Send /${command.words}` }, icon("send"));
    this.el = h("form", { class: "composer-box command-form", "aria-label": "/" + command.words, onsubmit: (e) => { e.preventDefault(); this.#submit(); } },
      h("button", { type: "button", class: "slash", "aria-label": "Drop the command", onclick: () => hooks.onClose("") }, icon("close", 18)),
      this.fields, this.send);
    this.#wire(this.rest, () => this.#offerOptions(), (e) => this.#restKey(e));
    for (const option of command.options) if (option.required) this.#add(option);
  }

  focus() {
    const open = this.#fields.find((f) => f.chosen === undefined && f.option.required);
    (open?.input ?? this.rest).focus();
  }

  /** What has been typed into the options so far, in words. */
  texts() {
    // A file cannot be chosen for somebody.
    return this.#fields.filter((f) => f.input.value && f.input.type !== "file").map((f) => ({ name: f.option.name, text: f.input.value }));
  }

  /** Types words into the options that still exist. */
  fill(texts) {
    for (const { name, text } of texts) {
      const option = this.command.options.find((o) => o.name === name);
      if (!option) continue;
      const field = this.#fields.find((f) => f.option === option) ?? this.#add(option);
      field.input.value = text;
      this.#fit(field);
    }
  }

  destroy() {
    this.#list.box.remove();
    this.el.remove();
  }

  #wire(input, offer, key) {
    input.addEventListener("focus", () => { this.#list.attach(input); offer(); });
    input.addEventListener("input", () => { this.hooks.onError(""); offer(); });
    input.addEventListener("blur", () => { if (this.#list.input === input) this.#list.hide(); });
    input.addEventListener("keydown", (e) => {
      if (e.isComposing) return;
      if (this.#list.key(e) || key(e)) {
        e.preventDefault();
        e.stopPropagation();
      }
    });
  }

  // The last input.

  #left() {
    return this.command.options.filter((o) => !this.#fields.some((f) => f.option === o));
  }

  #offerOptions() {
    const typed = this.rest.value.trim().toLowerCase();
    const named = /^([^:\s]+):(.*)$/.exec(this.rest.value.trim());
    if (named) {
      const exact = this.#left().find((o) => [o.name, o.label].includes(named[1].toLowerCase()));
      if (exact) {
        this.rest.value = "";
        this.#add(exact).input.focus();
        return;
      }
    }
    const found = this.#left().filter((o) => !typed || [o.name, o.label, o.description].some((t) => t.toLowerCase().includes(typed)));
    this.#list.show(found.map((option) => ({
      label: option.label, hint: option.description,
      take: () => { this.rest.value = ""; this.#add(option).input.focus(); },
    })), {
      // Nothing is chosen at first, so that Enter sends the command as it is.
      active: typed ? 0 : -1,
      title: this.command.description,
      note: found.length || !typed ? "" : "No option matches",
    });
    if (!found.length && !typed) this.#list.hide();
  }

  #restKey(e) {
    if (e.key === "Enter") {
      this.#submit();
      return true;
    }
    if (e.key === "Backspace" && this.rest.value === "") {
      const last = this.#fields.at(-1);
      if (last) last.input.focus();
      else this.hooks.onClose("/" + this.command.words);
      return true;
    }
    if (e.key === "Escape") {
      this.hooks.onClose("");
      return true;
    }
    return false;
  }

  // Fields.

  #add(option) {
    const id = newId("option");
    const numeric = option.type === OPTION.integer || option.type === OPTION.number;
    const field = { option, chosen: undefined };
    field.input = h("input", {
      class: "option-input", id, type: option.type === OPTION.attachment ? "file" : "text", inputmode: numeric ? "decimal" : undefined, enterkeyhint: "next",
      "aria-required": option.required ? "true" : undefined, "aria-describedby": `${id}-error`, spellcheck: "false", autocapitalize: "none",
    });
    field.error = h("span", { class: "option-error", id: `${id}-error` });
    field.el = h("span", { class: "option" }, h("label", { class: "option-name", for: id, text: option.label }), field.input, field.error);
    this.#wire(field.input, () => this.#offerValues(field), (e) => this.#fieldKey(e, field));
    field.input.addEventListener("input", () => {
      field.chosen = undefined;
      this.#mark(field, "");
      this.#fit(field);
    });
    field.input.addEventListener("blur", () => { if (field.el.isConnected && field.input.value) this.#value(field); });
    this.#fields.push(field);
    this.rest.before(field.el);
    this.#fit(field);
    return field;
  }

  /** An input is as wide as what is in it. */
  #fit(field) {
    if (field.input.type === "file") return;
    field.input.style.setProperty("width", `${Math.min(Math.max([...field.input.value].length + 2, 6), 32)}ch`);
  }

  #remove(field) {
    this.#fields.splice(this.#fields.indexOf(field), 1);
    const previous = this.#fields.at(-1)?.input ?? this.rest;
    field.el.remove();
    previous.focus();
  }

  #mark(field, error) {
    if (error && field.error.textContent !== error) alert(`${field.option.label}: ${error}`);
    field.error.textContent = error;
    if (error) field.input.setAttribute("aria-invalid", "true");
    else field.input.removeAttribute("aria-invalid");
    field.el.classList.toggle("invalid", error !== "");
  }

  #offerValues(field) {
    clearTimeout(field.timer);
    field.turn = (field.turn ?? 0) + 1;
    const { option, input } = field;
    const typed = field.chosen === undefined ? input.value : "";
    const found = input.type === "file" ? null : offers(option, typed);
    const title = option.description;
    if (found === null) {
      this.#list.show([], { note: title });
    } else if (found === undefined) {
      this.#list.show([], { title, note: "Loading options …" });
      field.timer = setTimeout(() => this.#ask(field), ASK_AFTER);
    } else {
      this.#showOffers(field, found, title);
    }
  }

  #showOffers(field, found, title) {
    const items = found.map((o) => ({ ...o, take: () => this.#take(field, o) }));
    const current = items.findIndex((o) => field.chosen !== undefined && o.value === field.chosen.value);
    this.#list.show(items, { active: Math.max(current, 0), title, note: items.length ? "" : "No options match your search" });
  }

  /** Asks the app for suggestions; an answer to what is no longer typed is dropped. */
  async #ask(field) {
    const { turn } = field;
    let choices;
    try {
      const others = this.#fields.filter((f) => f !== field && f.input.type !== "file" && f.input.value).map((f) => ({ name: f.option.name, value: this.#value(f) })).filter((o) => o.value !== undefined);
      const numeric = field.option.type === OPTION.integer || field.option.type === OPTION.number;
      const typed = numeric && field.input.value !== "" ? Number(field.input.value) : field.input.value;
      choices = await suggestions(this.command, [...others, { name: field.option.name, value: typed }], field.option.name);
    } catch {
      choices = null;
    }
    if (turn !== field.turn || document.activeElement !== field.input) return;
    if (choices === null) this.#list.show([], { title: field.option.description, note: "Loading options failed", wrong: true });
    else this.#showOffers(field, choices.map((c) => ({ label: c.name, value: c.value })), field.option.description);
  }

  #take(field, { label, value }) {
    field.input.value = label;
    field.chosen = { label, value };
    this.#mark(field, "");
    this.#fit(field);
    this.#next(field);
  }

  #next(field) {
    const after = this.#fields.slice(this.#fields.indexOf(field) + 1).find((f) => f.chosen === undefined && f.input.value === "");
    (after?.input ?? this.rest).focus();
  }

  #fieldKey(e, field) {
    // Enter on a field for a file opens the system's dialog until there is one.
    if (e.key === "Enter" && field.input.type === "file" && !field.input.files.length) return false;
    if (e.key === "Enter") {
      if (this.#value(field) !== undefined) this.#next(field);
      return true;
    }
    if (e.key === "Tab" && !e.shiftKey && field.input.value && this.#value(field) === undefined) return true;
    if (e.key === "Backspace" && field.input.value === "") {
      this.#remove(field);
      return true;
    }
    if (e.key === "Escape") {
      this.rest.focus();
      return true;
    }
    return false;
  }

  /** The value of a field; undefined, and an error at the field, when it has none. */
  #value(field) {
    if (field.chosen) return field.chosen.value;
    if (field.input.type === "file") {
      const [file] = field.input.files;
      this.#mark(field, file ? "" : "Choose a file.");
      return file;
    }
    const text = field.input.value.trim();
    const { option } = field;
    const found = offers(option, text);
    if (found) {
      const exact = found.filter((o) => [o.label.toLowerCase(), String(o.value)].includes(text.toLowerCase()));
      const only = exact[0] ?? (text && found.length === 1 ? found[0] : null);
      if (!only) {
        this.#mark(field, text ? "Pick one of the options." : "This option is required.");
        return undefined;
      }
      field.chosen = only;
      field.input.value = only.label;
      this.#fit(field);
      this.#mark(field, "");
      return only.value;
    }
    if (!text) {
      this.#mark(field, "This option is required.");
      return undefined;
    }
    const result = read(option, field.input.value);
    this.#mark(field, result.error ?? "");
    return result.value;
  }

  async #submit() {
    if (this.#busy) return;
    if (this.rest.value.trim()) {
      this.hooks.onError("Pick an option from the list, or clear the text.");
      this.rest.focus();
      return;
    }
    const options = [];
    for (const field of [...this.#fields]) {
      const value = this.#value(field);
      if (value === undefined) {
        field.input.focus();
        this.#list.hide();
        return;
      }
      options.push({ name: field.option.name, value });
    }
    this.#busy = true;
    try {
      for (const o of options) if (o.value instanceof File) o.value = await encode(o.value);
      await sendCommand(this.command, options);
      this.hooks.onSent();
    } catch (err) {
      const field = this.#fields.find((f) => f.option.name === err.field);
      if (field) {
        this.#mark(field, err.message);
        field.input.focus();
      } else {
        this.hooks.onError(err.message);
      }
    } finally {
      this.#busy = false;
    }
  }
}
