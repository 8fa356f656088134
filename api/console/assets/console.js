// Keys of the console. Everything works without this file. It sends nothing anywhere and writes no text into pages.
"use strict";
(() => {
  const page = document.body.dataset.page || "";
  const list = document.getElementById("keys");
  if (!list) return; // nobody has signed in

  // Single letters get in the way of some who speak to their browser: they can be switched off (WCAG 2, 2.1.4).
  const stored = "interai-console-keys";
  const toggle = document.getElementById("keys-on");
  const remembered = () => {
    try { return localStorage.getItem(stored) !== "off"; } catch { return true; }
  };
  toggle.checked = remembered();
  toggle.addEventListener("change", () => {
    try { localStorage.setItem(stored, toggle.checked ? "on" : "off"); } catch { /* it holds until the next page then */ }
  });

  const rows = [...document.querySelectorAll("tr[data-case]")];
  const here = () => rows.findIndex((row) => row.contains(document.activeElement));

  const move = (by) => {
    if (rows.length === 0) return false;
    const at = here();
    const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1);
    const link = rows[next].querySelector("a.go");
    link.focus();
    rows[next].scrollIntoView({ block: "nearest" });
    return true;
  };

  const open = () => {
    const at = here();
    if (at < 0) return false;
    rows[at].querySelector("a.go").click();
    return true;
  };

  const tick = () => {
    const at = here();
    const box = at < 0 ? null : rows[at].querySelector("input[type=checkbox]");
    if (!box) return false;
    box.checked = !box.checked;
    return true;
  };

  const choose = (no) => {
    const radio = document.querySelector(`input[type=radio][data-no="${no}"]`);
    if (!radio) return false;
    radio.checked = true;
    radio.focus();
    return true;
  };

  const reason = () => {
    const field = document.querySelector("[data-reason]");
    if (!field) return false;
    field.focus();
    return true;
  };

  const help = () => {
    list.open = !list.open;
    const summary = list.querySelector("summary");
    summary.focus();
    summary.scrollIntoView({ block: "nearest" });
    return true;
  };

  const onQueue = {
    j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1), o: open, x: tick,
    Enter: () => here() >= 0 && document.activeElement.tagName !== "A" && open(),
  };

  // Fields take their keys themselves; ticks and choices are no texts, but take the arrows.
  const typing = (target, key) => {
    if (target.isContentEditable || ["TEXTAREA", "SELECT"].includes(target.tagName)) return true;
    if (target.tagName !== "INPUT") return false;
    return !["checkbox", "radio"].includes(target.type) || key === "Enter" || target.type === "radio" && key.startsWith("Arrow");
  };

  let going = 0; // when g was pressed
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (typing(event.target, event.key)) return;
    if (event.key === "?") {
      if (help()) event.preventDefault();
      return;
    }
    if (!toggle.checked) return;
    if (event.key === "g") {
      going = event.timeStamp;
      return;
    }
    let done = false;
    if (event.key === "q" && going > 0 && event.timeStamp - going < 1500) {
      location.assign("/console");
      done = true;
    } else if (page === "queue" && Object.hasOwn(onQueue, event.key)) {
      done = onQueue[event.key]();
    } else if (page === "case" && /^[1-8]$/.test(event.key)) {
      done = choose(event.key);
    } else if (page === "case" && event.key === "r") {
      done = reason();
    }
    going = 0;
    if (done) event.preventDefault();
  });
})();
