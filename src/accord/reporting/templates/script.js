"use strict";
(() => {
  const status = document.getElementById("status");
  const say = (text) => { status.textContent = text; };

  document.getElementById("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : window.matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    say(dark ? "Light theme" : "Dark theme");
  });

  // -- the way around: what a link leads to is unfolded, and the contents show where one is

  const unfold = () => {
    const wanted = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!wanted) return;
    for (let part = wanted.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
    wanted.scrollIntoView();
  };
  window.addEventListener("hashchange", unfold);
  unfold();
  const contents = new Map([...document.querySelectorAll("nav a")].map((link) => [link.getAttribute("href").slice(1), link]));
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      for (const link of contents.values()) link.removeAttribute("aria-current");
      const here = contents.get(entry.target.id);
      if (!here) continue;
      here.setAttribute("aria-current", "location");
      here.parentElement.scrollLeft = here.offsetLeft - here.parentElement.clientWidth / 3;
    }
  }, { rootMargin: "-10% 0px -85% 0px" });
  for (const section of document.querySelectorAll("main > section")) seen.observe(section);
})();
