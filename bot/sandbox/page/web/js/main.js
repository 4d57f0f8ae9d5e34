// Puts the page together.

import { $ } from "./dom.js";
import { composer } from "./composer.js";
import { startDrawer } from "./drawer.js";
import { startLog } from "./messages.js";
import { startMenus } from "./menu.js";
import { startModals } from "./modal.js";
import { startPeople } from "./people.js";
import { startRegions } from "./regions.js";
import { startSheets } from "./sheets.js";
import { startSidebar } from "./sidebar.js";
import { startTopbar } from "./topbar.js";
import { store } from "./store.js";

startTopbar();
startSidebar();
startPeople();
startLog((path) => composer.startCommand(path));
composer.start();
startModals();
startMenus();
startDrawer();
startSheets();
startRegions();

// Tests and impatient eyes wait for this: whatever the channel shows can be used.
const read = new Set();
for (const topic of ["history", "commands"]) {
  store.on(topic, () => { if (read.add(topic).size === 2) $("app").dataset.ready = "true"; });
}
store.on("link", (open) => {
  if (open) return;
  read.clear();
  $("app").dataset.ready = "false";
});

store.start();
