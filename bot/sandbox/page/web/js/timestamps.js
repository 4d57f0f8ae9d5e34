// Points in time in messages: <t:seconds:style>. Relative ones tick. They change
// outside of every live region, so that a screen reader is not interrupted.

import { h } from "./dom.js";
import { store } from "./store.js";

const DAY = { year: "numeric", month: "2-digit", day: "2-digit" };

const FORMATS = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: DAY,
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
  s: { ...DAY, hour: "numeric", minute: "2-digit" },
  S: { ...DAY, hour: "numeric", minute: "2-digit", second: "2-digit" },
};

const STEPS = [[60, "second", 1], [3600, "minute", 60], [86400, "hour", 3600], [2592000, "day", 86400], [31536000, "month", 2592000], [Infinity, "year", 31536000]];

export const styles = Object.keys(FORMATS).join("") + "R";

/** The words for a moment in that style, in the language of this client. */
export function format(seconds, style) {
  const locale = store.me?.locale ?? "en-US";
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return "Invalid date";
  if (style !== "R") return new Intl.DateTimeFormat(locale, FORMATS[style] ?? FORMATS.f).format(date);
  const distance = seconds - Date.now() / 1000;
  const [, unit, size] = STEPS.find(([limit]) => Math.abs(Math.round(distance)) < limit);
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(Math.round(distance / size) || 0, unit);
}

/** An element that shows a moment and, if relative, keeps up with the clock. */
export function timestamp(seconds, style = "f") {
  const date = new Date(seconds * 1000);
  const valid = !Number.isNaN(date.getTime());
  return h("time", {
    class: "stamp",
    datetime: valid ? date.toISOString() : undefined,
    title: format(seconds, "F"),
    text: format(seconds, style),
    data: { seconds: String(seconds), style },
    "aria-live": "off",
  });
}

/** The small clock beside a message. It leaves out the day where it is today, or where narrow says that there is no room. */
export function clock(iso, narrow = false) {
  const date = new Date(iso);
  const today = new Date().toDateString() === date.toDateString();
  const locale = store.me?.locale ?? "en-US";
  const text = new Intl.DateTimeFormat(locale, today || narrow ? { timeStyle: "short" } : { dateStyle: "short", timeStyle: "short" }).format(date);
  return h("time", { class: "clock", datetime: iso, title: new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "medium" }).format(date), text });
}

setInterval(() => {
  for (const el of document.querySelectorAll('time[data-style="R"]')) {
    const text = format(Number(el.dataset.seconds), "R");
    if (el.textContent !== text) el.textContent = text;
  }
}, 1000);
