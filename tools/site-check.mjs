// node tools/site-check.mjs FOLDER [PICTURES]: opens every page of the site in FOLDER in Chromium, on a
// wide screen in light colours and on a narrow one in dark colours, and fails if it finds
//   a dead link or anchor, an image that is missing or has no alternative text,
//   an error on the console, a request beyond the folder,
//   TeX that is not set, text of too little contrast, a page wider than the screen,
//   a search that does not find a function, or a button that does not change the colours.
// PICTURES: a folder for screenshots of some pages. It needs Node.js 18 and Chromium, no package.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = resolve(process.argv[2] ?? "site");
const pictures = process.argv[3] && resolve(process.argv[3]);
const names = ["chromium", "chromium-browser", "google-chrome"];
const folders = ["/usr/bin", "/usr/local/bin", "/snap/bin"];
const browser = process.env.CHROMIUM ??
  folders.flatMap((folder) => names.map((name) => join(folder, name))).find(existsSync);
if (!browser) {
  console.log("Chromium is not installed.");
  process.exit(77);
}

const faults = new Map();
function note(kind, page, what) {
  const key = `${kind}: ${what}`;
  if (!faults.has(key)) faults.set(key, new Set());
  faults.get(key).add(page);
}

// Chromium's DevTools protocol over two pipes: messages of JSON that end with a null byte.
class Browser {
  constructor() {
    this.profile = mkdtempSync(join(tmpdir(), "site-check-"));
    this.process = spawn(browser, [
      "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-proxy-server",
      `--user-data-dir=${this.profile}`, "about:blank",
    ], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.waiting = new Map();
    this.listeners = new Map();
    this.count = 0;
    let rest = "";
    this.process.stdio[4].setEncoding("utf8").on("data", (data) => {
      const messages = (rest + data).split("\0");
      rest = messages.pop();
      for (const message of messages) this.receive(JSON.parse(message));
    });
    this.process.on("exit", () => {
      for (const { reject } of this.waiting.values()) reject(new Error("Chromium ended"));
    });
  }

  receive({ id, result, error, method, params, sessionId }) {
    if (id === undefined) return this.listeners.get(sessionId)?.(method, params);
    const { resolve, reject } = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) reject(new Error(error.message)); else resolve(result);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.count;
    this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  async end() {
    const ended = new Promise((resolve) => this.process.on("exit", resolve));
    await this.send("Browser.close").catch(() => {});
    await ended;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

// One tab, which opens pages one after the other.
class Tab {
  static async open(chromium, width, theme) {
    const tab = new Tab();
    const { targetId } = await chromium.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await chromium.send("Target.attachToTarget", { targetId, flatten: true });
    tab.send = (method, params) => chromium.send(method, params, sessionId);
    chromium.listeners.set(sessionId, (method, params) => tab.hear(method, params));
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await tab.send(`${domain}.enable`);
    await tab.send("Emulation.setDeviceMetricsOverride", {
      width, height: 900, deviceScaleFactor: 1, mobile: width < 600,
    });
    await tab.send("Emulation.setEmulatedMedia", {
      features: [
        { name: "prefers-color-scheme", value: theme },
        { name: "prefers-reduced-motion", value: "reduce" },
      ],
    });
    tab.label = `${width}-${theme}`;
    return tab;
  }

  hear(method, params) {
    if (method === "Page.loadEventFired") this.loaded?.();
    if (method === "Runtime.exceptionThrown") {
      const { text, exception } = params.exceptionDetails;
      note("script error", this.page, exception?.description ?? text);
    }
    if (method === "Runtime.consoleAPICalled" && params.type === "error") {
      note("console", this.page, params.args.map((x) => x.value ?? x.description).join(" "));
    }
    if (method === "Log.entryAdded" && params.entry.level === "error") {
      note("console", this.page, `${params.entry.text} ${params.entry.url ?? ""}`);
    }
    if (method === "Network.requestWillBeSent") {
      const { url } = params.request;
      if (!url.startsWith(base) && !/^(data|about|blob):/.test(url)) note("remote request", this.page, url);
    }
  }

  async visit(page) {
    this.page = page;
    const loaded = new Promise((resolve) => { this.loaded = resolve; });
    await this.send("Page.navigate", { url: base + page });
    const late = new Promise((_, reject) => setTimeout(reject, 30000, new Error("30 s")).unref());
    await Promise.race([loaded, late]).catch(() => note("does not load", page, "after 30 s"));
  }

  async ask(expression) {
    const answer = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.exception.description);
    return answer.result.value;
  }

  async picture() {
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    const file = `${this.page.replace(/\//g, "-").replace(".html", "")}-${this.label}.png`;
    writeFileSync(join(pictures, file), Buffer.from(data, "base64"));
  }
}

// Runs in the page.
function inspect() {
  const channels = (text) => {
    const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
    return { rgb: [r, g, b], a };
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((x) => (x /= 255) <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const { rgb, a } = channels(getComputedStyle(e).backgroundColor);
      if (a > 0.5) return rgb;
    }
    return [255, 255, 255];
  };
  const faint = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const words = walker.currentNode.data.trim();
    if (!words || !element.checkVisibility() || element.closest("script, style, svg, canvas, .copy")) continue;
    const style = getComputedStyle(element);
    if (style.visibility !== "visible") continue;
    const ink = luminance(channels(style.color).rgb), paper = luminance(ground(element));
    const contrast = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    const large = parseFloat(style.fontSize) >= 24;
    if (contrast < (large ? 3 : 4.5)) {
      faint.add(`<${element.tagName.toLowerCase()} class="${element.className}"> at ${contrast.toFixed(1)}`);
    }
  }
  const prose = document.querySelector("main")?.cloneNode(true) ?? document.body.cloneNode(true);
  prose.querySelectorAll("pre, code, script, style, math").forEach((element) => element.remove());
  const left = prose.textContent.match(/\\\(|\\\)|\$\$|\\[a-zA-Z]{2,}|\$[^$\n]{1,60}[\\_^][^$\n]{0,60}\$/g) ?? [];
  const set = [...document.querySelectorAll("math mtext, math merror")].map((e) => e.textContent);
  const images = [...document.images];
  return {
    ids: [...document.querySelectorAll("[id]")].map((e) => e.id),
    names: [...document.querySelectorAll("a[name]")].map((e) => e.name),
    links: [...document.querySelectorAll("a[href]")].map((a) => a.href),
    broken: images.filter((i) => i.complete && !i.naturalWidth).map((i) => i.src),
    unnamed: images.filter((i) => !i.hasAttribute("alt") || (!i.alt && !i.matches(".logo"))).map((i) => i.src),
    tex: [...left, ...set.filter((text) => /\\[a-zA-Z]/.test(text))],
    faint: [...faint],
    dark: luminance(channels(getComputedStyle(document.body).backgroundColor).rgb) < 0.2,
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    images: images.length,
    formulas: document.querySelectorAll("math").length,
  };
}

const seen = { images: 0, formulas: 0, links: [], ids: new Map() };

async function examine(tab, page, theme) {
  await tab.visit(page);
  const found = await tab.ask(`(${inspect})()`);
  const short = (url) => url.replace(base, "");
  found.broken.forEach((url) => note("missing image", page, short(url)));
  found.unnamed.forEach((url) => note("image without alternative text", page, short(url)));
  found.tex.forEach((text) => note("TeX is not set", page, text));
  found.faint.forEach((text) => note(`too little contrast (${theme})`, page, text));
  if (found.dark !== (theme === "dark")) note("wrong colours", page, theme);
  if (found.wide > 0) note("page is wider than the screen", page, `${tab.label}`);
  seen.ids.set(page, new Set([...found.ids, ...found.names]));
  found.links.forEach((url) => seen.links.push([page, url]));
  seen.images += found.images;
  seen.formulas += found.formulas;
  if (pictures && shown.has(page)) await tab.picture();
}

function checkLinks() {
  for (const [page, url] of seen.links) {
    if (!url.startsWith("file:")) continue;
    const [path, anchor = ""] = url.split("#");
    if (!path.startsWith(base)) { note("link out of the site", page, url); continue; }
    const target = relative(root, fileURLToPath(path)) || "index.html";
    if (!existsSync(join(root, target))) note("dead link", page, target);
    else if (anchor && !seen.ids.get(target)?.has(decodeURIComponent(anchor))) {
      note("dead anchor", page, `${target}#${anchor}`);
    }
  }
}

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Types into the search of a page as a user does, and reads the first result.
async function search(tab, page, words) {
  await tab.visit(page);
  await tab.ask("document.getElementById('search-input').focus()");
  await tab.send("Input.insertText", { text: words });
  const first = "document.querySelector('#search-results a')?.href ?? ''";
  for (let i = 0; i < 50 && !(await tab.ask(first)); i++) await wait(100);
  return tab.ask(first);
}

async function checkSearch(tab) {
  for (const page of ["index.html", "articles/deciding.html"]) {
    const found = await search(tab, page, "cost_matrix");
    if (found.split("#")[0] !== `${base}reference/cost_matrix.html`) {
      note("search", page, `finds "${found}" for cost_matrix`);
    }
    if (pictures) await tab.picture();
  }
  if (await search(tab, "index.html", "minimax prior") === "") note("search", "index.html", "minimax prior");
  await tab.ask("document.getElementById('search-input').value = ''");
  await tab.send("Input.insertText", { text: "qqqqzzzz" });
  const count = await tab.ask("document.querySelectorAll('#search-results a').length");
  if (count) note("search", "index.html", "finds qqqqzzzz");
}

// The button changes the colours, and the next page keeps them.
async function checkColours(tab) {
  const theme = "document.documentElement.dataset.theme";
  await tab.visit("index.html");
  await tab.ask("document.getElementById('theme').click()");
  await tab.visit("reference/index.html");
  if (await tab.ask(theme) !== "dark") note("colours", "reference/index.html", "the choice is not kept");
  await tab.ask("document.getElementById('theme').click()");
}

function pagesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "deps" ? [] : pagesIn(path);
    return entry.name.endsWith(".html") ? [relative(root, path)] : [];
  });
}

const base = pathToFileURL(root).href + "/";
const pages = pagesIn(root).sort();
const shown = new Set([
  "index.html", "reference/index.html", "reference/bayes_risk.html", "reference/decide.html",
  "articles/index.html", "articles/deciding.html", "articles/course-2-error.html",
  "articles/course-4-counting.html", "articles/standards.html", "articles/prior-art.html", "news/index.html",
]);
if (pictures) mkdirSync(pictures, { recursive: true });
if (pages.length < 50) note("site", root, `only ${pages.length} pages`);

const chromium = new Browser();
try {
  const work = async (width, theme) => {
    const tab = await Tab.open(chromium, width, theme);
    for (const page of pages) await examine(tab, page, theme);
    return tab;
  };
  const [tab] = await Promise.all([work(1200, "light"), work(400, "dark")]);
  checkLinks();
  await checkSearch(tab);
  await checkColours(tab);
} finally {
  await chromium.end();
}
for (const [fault, where] of faults) {
  console.log(`${fault} (${where.size} pages, as ${[...where].slice(0, 2).join(", ")})`);
}
console.log(`${pages.length} pages, ${seen.images / 2} images, ${seen.formulas / 2} formulas, ` +
  `${seen.links.length / 2} links, ${faults.size} faults`);
process.exitCode = faults.size ? 1 : 0;
