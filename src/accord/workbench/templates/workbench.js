"use strict";
(() => {
  const status = document.getElementById("status");
  const say = (text) => { status.textContent = text; };
  const main = () => document.getElementById("main");

  // -- light and dark, for as long as the window is open

  const root = document.documentElement;
  const chosen = sessionStorage.getItem("theme");
  if (chosen) root.dataset.theme = chosen;
  document.getElementById("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    sessionStorage.setItem("theme", root.dataset.theme);
    say(dark ? "Light theme" : "Dark theme");
  });

  // -- the next page in place of this one: no flash, and what was typed about the same item stays

  const kept = () => {
    const item = main().querySelector('[name="item"]');
    const fields = [...main().querySelectorAll("[data-kept]")];
    return { item: item && item.value, fields: fields.map((one) => [one.name, one.type === "checkbox" ? one.checked : one.value]) };
  };
  const restore = (before) => {
    const item = main().querySelector('[name="item"]');
    if (!item || item.value !== before.item) return;
    for (const [name, value] of before.fields) {
      const field = main().querySelector(`[data-kept][name="${name}"]`);
      if (!field) continue;
      if (field.type === "checkbox") field.checked = value;
      else field.value = value;
    }
  };
  let typed = null;  // about the last item, as long as it was not sent
  const shown = (text, address, keep) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    const next = page.getElementById("main");
    if (!next) { location.reload(); return; }
    const before = kept();
    typed = !keep ? null : before.item ? before : typed;
    main().replaceWith(document.adoptNode(next));
    document.title = page.title;
    if (address) history.replaceState(null, "", address);
    if (typed) restore(typed);
    window.scrollTo(0, 0);
    main().focus({ preventScroll: true });
    main().dispatchEvent(new CustomEvent("shown", { bubbles: true }));
    const heading = main().querySelector("[role=alert], [data-say], h1");
    say(heading ? heading.textContent.trim() : document.title);
  };

  // -- asking: what the server does not answer is asked again with the same key, so that nothing is done twice

  let busy = false;
  const pause = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });
  const waiting = (text) => {
    let note = document.getElementById("waiting");
    if (!text) { if (note) note.remove(); return; }
    if (!note) {
      note = document.createElement("p");
      note.id = "waiting";
      note.className = "waiting";
      note.setAttribute("role", "alert");
      main().prepend(note);
    }
    note.textContent = text;
  };
  const answered = async (address, options) => {
    for (let delay = 250; ; delay = Math.min(2 * delay, 4000)) {
      try {
        const answer = await fetch(address, options);
        if (![429, 502, 503, 504].includes(answer.status)) return answer;
      } catch { /* the server is away: it may come back */ }
      waiting("Not kept yet: the server does not answer. It is asked again until it does; leave this page open.");
      await pause(delay);
    }
  };
  const exchange = async (address, options, keep) => {
    if (busy) return;
    busy = true;
    main().setAttribute("aria-busy", "true");
    try {
      const answer = await answered(address, options);
      waiting("");
      const text = await answer.text();
      if ((answer.headers.get("content-type") || "").startsWith("text/html")) shown(text, options.method !== "POST" || answer.redirected ? answer.url : "", keep || !answer.ok);
      else waiting(text);
    } finally {
      busy = false;
      main().removeAttribute("aria-busy");
    }
  };
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post") return;
    event.preventDefault();
    const fields = new URLSearchParams(new FormData(form, event.submitter));
    const action = event.submitter && event.submitter.getAttribute("formaction") || form.getAttribute("action");
    exchange(action, { method: "POST", body: fields, credentials: "same-origin" }, "keeps" in form.dataset);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-swap]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    exchange(link.href, { credentials: "same-origin" }, true);
  });

  // -- keys: whatever has one is pressed, ticked or gone to

  const typing = (target) => target.matches("textarea, select, input:not([type=checkbox]):not([type=radio])");
  const pressed = (target) => {
    if (target.matches("input:not([type=checkbox]):not([type=radio]), textarea, select")) target.focus();
    else target.click();
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape" && typing(event.target)) { event.target.blur(); main().focus(); return; }
    if (event.key === "Enter" && event.target.matches("[name=comment], select")) { event.preventDefault(); main().focus(); return; }
    if (typing(event.target) || busy) return;
    if (event.key === "Enter" && event.target.closest("a, button, summary")) return;
    const wanted = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const target = main().querySelector(`[data-key="${CSS.escape(wanted)}"]:not([disabled])`);
    if (!target) return;
    event.preventDefault();
    pressed(target);
  });

  // -- labels in order: the next one pressed takes the next place, one pressed again loses its own

  document.addEventListener("click", (event) => {
    const choice = event.target.closest("[data-ranks]");
    if (!choice || event.target.matches("input")) return;
    event.preventDefault();
    const fields = [...main().querySelectorAll("[data-ranks] [name=place]")];
    const mine = choice.querySelector("[name=place]");
    const place = Number(mine.value);
    if (mine.value) {
      mine.value = "";
      for (const field of fields) if (Number(field.value) > place) field.value = String(Number(field.value) - 1);
    } else {
      mine.value = String(1 + Math.max(0, ...fields.map((field) => Number(field.value))));
    }
    ranked();
  });
  const ranked = () => {
    for (const choice of main().querySelectorAll("[data-ranks]")) {
      choice.classList.toggle("chosen", choice.querySelector("[name=place]").value !== "");
    }
  };
  document.addEventListener("input", ranked);
  document.addEventListener("shown", ranked);
  ranked();

  // -- what is selected in a text, in characters as the server counts them

  const placed = (node, offset) => {
    const part = node.nodeType === Node.TEXT_NODE && node.parentElement.closest("[data-at]");
    return part ? Number(part.dataset.at) + [...node.data.slice(0, offset)].length : null;
  };
  document.addEventListener("selectionchange", () => {
    const field = main().querySelector("[data-selection]");
    const chosen = getSelection();
    if (!field || !chosen.rangeCount) return;
    const range = chosen.getRangeAt(0);
    const start = placed(range.startContainer, range.startOffset), end = placed(range.endContainer, range.endOffset);
    if (start !== null && end !== null) field.value = start < end ? `${start} ${end}` : "";
  });

  // -- a report that is still being computed: its sections come as they are ready, what is there stays in its place

  const complete = (note) => {
    const script = document.createElement("script");  // for tables and charts, all of which are there now
    script.src = note.dataset.more;
    document.body.append(script);
    note.remove();
    if (location.hash && !window.scrollY) document.getElementById(location.hash.slice(1))?.scrollIntoView();
    say("The report is complete.");
  };
  const grown = (note, next) => {
    const parts = document.getElementById("parts");
    const done = !next.querySelector("[data-more]");
    if (done && !parts.contains(document.activeElement)) parts.replaceWith(document.adoptNode(next));
    else for (const part of next.querySelectorAll("section.live")) if (!document.getElementById(part.id)) note.before(document.adoptNode(part));
    if (done) complete(note);
    return done;
  };
  const again = async () => {
    const note = document.querySelector("[data-more]");
    if (!note) return;
    try {
      const answer = await fetch(location.href, { credentials: "same-origin" });
      const next = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("parts");
      if (answer.ok && next && grown(note, next)) return;
    } catch { /* the server is away: it may come back */ }
    setTimeout(again, 500);
  };
  setTimeout(again, 300);

  // -- what others do, while the page is looked at

  const live = async () => {
    if (document.hidden || busy || !document.querySelector("[data-live]")) return;
    let now;
    try {
      const answer = await fetch("/live", { credentials: "same-origin" });
      if (!answer.ok) return;
      now = await answer.json();
    } catch { return; }
    for (const place of document.querySelectorAll("[data-live]")) {
      const value = now[place.dataset.live];
      if (value === undefined) continue;
      const text = value.toLocaleString("en");
      if (place.tagName === "PROGRESS") place.value = value;
      else if (place.textContent !== text) place.textContent = text;
    }
  };
  setInterval(live, 3000);
})();
