// The composer: plain text until it begins with a slash, then the commands, then
// one command with its options.

import { $, h, icon } from "./dom.js";
import { Listbox } from "./listbox.js";
import { CommandForm } from "./command-form.js";
import { appOf, search, sendable } from "./commands.js";
import { guildOf, titleOf } from "./channels.js";
import { world } from "./api.js";
import { store } from "./store.js";
import { say } from "./announce.js";
import { failed } from "./toasts.js";
import { Drafts, placeNow, placeOf } from "./drafts.js";
import { Outbox } from "./outbox.js";

const host = $("composer");

class Composer {
  #form = null;
  #drafts = new Drafts();
  #outbox = new Outbox(({ guild, ...said }) => world("POST", "say", said, guild), (place, texts, err) => this.#takeBack(place, texts, err));
  #place = ""; // whose text for which channel this is

  start() {
    this.error = h("p", { class: "composer-error", role: "alert", id: "composer-error" });
    this.input = h("textarea", {
      class: "composer-input", id: "composer-input", rows: "1", "aria-label": "Message", enterkeyhint: "send",
      autocapitalize: "sentences", spellcheck: "false",
    });
    this.send = h("button", { type: "button", class: "send", "aria-label": "Send", onclick: () => this.#submit() }, icon("send"));
    this.slash = h("button", { type: "button", class: "slash", tabindex: "-1", "aria-label": "Commands", title: "Commands (/)", onclick: () => this.openCommands(), text: "/" });
    this.box = h("div", { class: "composer-box" }, this.slash, this.input, this.send);
    this.popup = h("div", { class: "composer-popup" });
    this.list = new Listbox({ host: this.popup, label: "Commands", onTake: (item) => this.open(item.command) });
    this.list.attach(this.input);
    host.append(this.popup, this.error, this.box);

    this.input.addEventListener("input", () => this.#typed());
    this.input.addEventListener("keydown", (e) => this.#key(e));
    this.input.addEventListener("blur", () => this.list.hide());
    this.input.addEventListener("focus", () => this.#suggest());
    store.on("channel", () => this.#onChannel());
    store.on("commands", () => this.#onCommands());
    store.on("world", () => this.#label());
    store.on("restart", (idNow) => {
      this.#drafts.move(idNow);
      this.#place = placeNow(this.#place, idNow);
    });
    // A slash anywhere on the page begins a command, as long as nobody types elsewhere.
    document.addEventListener("keydown", (e) => {
      if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || e.target.matches("input, textarea, select, [contenteditable]") || host.closest("[inert]") || document.querySelector("dialog[open]")) return;
      e.preventDefault();
      this.openCommands();
    });
  }

  /** Shows the commands as if a slash had been typed. */
  openCommands() {
    this.close();
    this.input.value = "/";
    this.input.focus();
    this.#typed();
  }

  /** Puts a command into the composer by its path, ready to be sent. */
  startCommand(path) {
    const command = sendable().find((c) => c.path === path) ?? sendable().find((c) => c.path.startsWith(path + " "));
    if (!command) {
      this.#fail("That command is not registered here.");
      return;
    }
    this.open(command);
  }

  /** Shows one command with its options. */
  open(command) {
    this.close();
    this.input.value = "";
    this.#typed();
    this.#show(command);
    this.#form.focus();
    say(`${command.words}: ${command.description}`);
  }

  #show(command) {
    const place = this.#place;
    // What was sent may be answered when another form is shown, or none.
    const mine = (then) => (text) => { if (this.#form === form) then(text); };
    const form = this.#form = new CommandForm(command, {
      popup: this.popup,
      onClose: mine((text) => {
        this.close();
        this.input.value = text || this.#drafts.text(place);
        this.input.focus();
        this.#typed();
      }),
      onSent: () => {
        this.#drafts.forgetCommand(place, command.path);
        mine(() => {
          const focused = form.el.contains(document.activeElement);
          this.close();
          if (focused) this.input.focus();
        })();
      },
      onError: mine((text) => this.#fail(text)),
    });
    this.box.hidden = true;
    host.append(form.el);
  }

  /** Back to plain text. */
  close() {
    this.#fail("");
    if (!this.#form) return;
    this.#form.destroy();
    this.#form = null;
    this.box.hidden = false;
  }

  focus() {
    if (this.#form) this.#form.focus();
    else this.input.focus();
  }

  #fail(text) { this.error.textContent = text; }

  #label() {
    const channel = store.current;
    if (!channel) return;
    const to = (channel.guild_id ? "#" : "") + titleOf(channel);
    this.input.setAttribute("aria-label", "Message to " + to);
    this.input.placeholder = "Message " + to;
  }

  /** Puts away what was half done, and takes out what was half done here. */
  #onChannel() {
    const place = placeOf(store.me, store.current);
    const focused = this.#form?.el.contains(document.activeElement);
    if (this.#form) this.#drafts.keepCommand(this.#place, this.#form);
    this.close();
    this.#place = place;
    this.#label();
    this.input.value = this.#drafts.text(place);
    this.#grow();
    this.list.hide();
    if (focused) this.input.focus();
    this.#onCommands();
  }

  #onCommands() {
    const half = !this.#form && this.input.value === "" && this.#drafts.command(this.#place);
    const command = half && sendable().find((c) => c.path === half.path);
    if (command) {
      const focused = document.activeElement === this.input;
      this.#show(command);
      this.#form.fill(half.values);
      this.#drafts.forgetCommand(this.#place, command.path);
      if (focused) this.#form.focus();
    } else if (document.activeElement === this.input) {
      this.#suggest();
    }
  }

  #grow() {
    this.input.style.setProperty("height", "auto");
    this.input.style.setProperty("height", `${Math.min(this.input.scrollHeight, 180)}px`);
    this.box.classList.toggle("has-text", this.input.value.trim() !== "");
    this.slash.hidden = this.input.value.startsWith("/");
  }

  #typed() {
    this.#fail("");
    this.#drafts.keepText(this.#place, this.input.value);
    this.#grow();
    this.#suggest();
  }

  #suggest() {
    const text = this.input.value;
    if (!text.startsWith("/") || text.includes("\n")) {
      this.list.hide();
      return;
    }
    const found = search(text.slice(1));
    this.list.show(found.map((command) => ({
      command, label: "/" + command.words, hint: command.description, mark: "/",
      detail: [appOf(command), command.options.map((o) => (o.required ? o.label : `${o.label}?`)).join("  ")].filter(Boolean).join(" · "),
    })), { title: found.length && store.apps.length === 1 ? store.bot.name : "", note: found.length ? "" : this.#nothing() });
  }

  #nothing() {
    if (store.commands.length) return "No command matches";
    if (!store.world) return "Not connected yet";
    return store.online.length ? "The app has registered no commands here" : "The app is not connected";
  }

  #key(e) {
    if (this.list.key(e)) {
      e.preventDefault();
      return;
    }
    if (e.key === "Enter" && !e.shiftKey && !e.isComposing) {
      e.preventDefault();
      this.#submit();
    }
  }

  #submit() {
    const text = this.input.value.trim();
    if (!text) {
      this.input.focus();
      return;
    }
    if (text.startsWith("/")) {
      const [best] = search(text.slice(1));
      if (best) this.open(best);
      else this.#fail(this.#nothing() + ".");
      return;
    }
    if (!store.current) return;
    // It leaves the input at once: pressing Enter again sends nothing, and what is
    // typed from now on is the next message.
    store.emit("said");
    this.#outbox.put(this.#place, { guild: guildOf(store.current), as: store.world.me, channel: store.current.id, text });
    this.input.value = "";
    this.#typed();
  }

  /** Puts texts that could not be sent back before what has been typed since. */
  #takeBack(place, texts, err) {
    const here = place === this.#place;
    const back = [...texts, here ? this.input.value : this.#drafts.text(place)].filter(Boolean).join("\n");
    this.#drafts.keepText(place, back);
    if (!here || this.#form) {
      failed("Not sent", err);
      if (!here) return;
    }
    this.input.value = back;
    this.#grow();
    this.list.hide();
    if (!this.#form) this.#fail(err.message);
  }
}

export const composer = new Composer();
