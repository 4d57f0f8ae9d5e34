// On narrow pages the channels, the people and the developer's drawer are sheets
// that lie over the messages, one at a time. What is behind a sheet is out of
// reach until it is closed.

import { $ } from "./dom.js";
import { store } from "./store.js";

const SHEETS = ["channels", "people", "drawer"];
const BEHIND = ["topbar", "main", ...SHEETS];
let sheet = null; // {id, opener, closed}

/** Whether that part of the page is a sheet at the page's present width. */
export function isSheet(id) {
  return getComputedStyle($(id)).getPropertyValue("--sheet").trim() === "1";
}

/** Opens a sheet; closed is called when it goes, by whatever way. */
export function openSheet(id, closed) {
  const opener = sheet?.opener ?? document.activeElement;
  if (sheet) close();
  sheet = { id, opener, closed };
  for (const part of BEHIND) $(part).inert = part !== id;
  $("scrim").hidden = false;
  $(id).classList.add("sheet-open");
  // What is still on its way in cannot take the focus.
  for (const a of $(id).getAnimations()) if (a.transitionProperty === "visibility") a.finish();
  reachable()[0]?.focus();
}

export function closeSheets() {
  if (!sheet) return;
  const { opener } = sheet;
  close();
  if (opener?.isConnected) opener.focus();
}

function close() {
  const { id, closed } = sheet;
  sheet = null;
  for (const part of BEHIND) $(part).inert = false;
  $("scrim").hidden = true;
  $(id).classList.remove("sheet-open");
  closed?.();
}

function reachable() {
  return [...$(sheet.id).querySelectorAll('button, select, input, summary, a[href], [tabindex="0"]')].filter((el) => el.tabIndex >= 0 && el.checkVisibility());
}

/** Keeps the Tab key going round in the sheet. */
function goRound(e) {
  const all = reachable();
  const [from, to] = e.shiftKey ? [all[0], all.at(-1)] : [all.at(-1), all[0]];
  if (document.activeElement !== from && $(sheet.id).contains(document.activeElement)) return;
  e.preventDefault();
  to?.focus();
}

export function startSheets() {
  $("scrim").addEventListener("click", closeSheets);
  for (const topic of ["channel", "person"]) store.on(topic, closeSheets);
  document.addEventListener("keydown", (e) => {
    if (!sheet || e.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (e.key === "Escape") closeSheets();
    else if (e.key === "Tab") goRound(e);
  });
  // A page that has become wide has no sheets any more.
  new ResizeObserver(() => { if (sheet && !isSheet(sheet.id)) closeSheets(); }).observe($("app"));
}
