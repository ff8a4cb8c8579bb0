// The script of the hosted pages: answers are saved as they are given. Without it the pages are plain forms.
// @ts-check

const debounceMs = 350;
const firstRetryMs = 1_000;
const maxRetryDelayMs = 20_000;
const requestTimeoutMs = 15_000;
const maxRetryAfterMs = 60_000;
const savedNoticeMs = 4_000;

/** Answers that may not be saved yet. They survive a reload of this tab. */
class PendingAnswers {
  /** @param {string} sessionId */
  constructor(sessionId) {
    this.key = `pas-pending-${sessionId}`;
    /** @type {Map<string, string>} */
    this.answers = new Map(Object.entries(this.#read()));
  }

  /** @param {string} name @param {string} value */
  add(name, value) {
    this.answers.set(name, value);
    this.#write();
  }

  /** Forgets what was saved, unless another answer was given meanwhile. @param {Map<string, string>} saved */
  remove(saved) {
    for (const [name, value] of saved) if (this.answers.get(name) === value) this.answers.delete(name);
    this.#write();
  }

  #read() {
    try {
      return JSON.parse(sessionStorage.getItem(this.key) ?? "{}");
    } catch {
      return {};
    }
  }

  #write() {
    try {
      if (this.answers.size === 0) sessionStorage.removeItem(this.key);
      else sessionStorage.setItem(this.key, JSON.stringify(Object.fromEntries(this.answers)));
    } catch {
      // Without storage a reload loses what is not saved yet; the page says that it is not.
    }
  }
}

/** Saves the answers of a page, and shows whether they are saved. */
class Saver {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    this.pending = new PendingAnswers(form.dataset.session ?? "");
    this.retries = 0;
    /** The earliest time of the next request, in milliseconds since 1970. */
    this.pausedUntil = 0;
    this.controller = new AbortController();
    this.isTroubled = false;
    this.isSending = false;
    this.isStopped = false;
    /** The page to open once everything is saved. @type {string | undefined} */
    this.path = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.state = /** @type {HTMLElement} */ (document.querySelector("[data-save]"));
    this.trouble = /** @type {HTMLElement} */ (document.querySelector("[data-trouble]"));
  }

  /** @param {string} name @param {string} value */
  add(name, value) {
    this.pending.add(name, value);
    if (!this.isTroubled) this.state.dataset.save = "busy";
    this.schedule(debounceMs);
  }

  /** Opens another page once everything is saved. @param {string} path */
  leaveFor(path) {
    this.path = path;
    this.schedule(0);
  }

  /** Saves what is pending: now, when the network is back, and when the page is left or seen again. */
  start() {
    const flush = () => {
      this.retries = 0;
      if (this.pending.answers.size > 0) this.schedule(0);
    };
    flush();
    addEventListener("online", flush);
    document.addEventListener("visibilitychange", flush);
    addEventListener("pagehide", () => {
      // The browser sends it even after the page is gone. Another request would cancel it.
      if (this.pending.answers.size > 0 && !this.isStopped) this.#send(this.pending.answers).catch(() => {});
      this.isStopped = true;
    });
    addEventListener("beforeunload", (event) => {
      if (this.isTroubled) event.preventDefault();
    });
  }

  /** @param {number} delayMs */
  schedule(delayMs) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#save(), Math.max(delayMs, this.pausedUntil - Date.now()));
  }

  async #save() {
    if (this.isSending || this.isStopped) return;
    const batch = new Map(this.pending.answers);
    if (batch.size === 0) return this.#saved();
    this.isSending = true;
    if (!this.isTroubled) this.state.dataset.save = "busy";
    try {
      const response = await this.#send(batch);
      const { saved } = response.ok ? await response.json() : {};
      this.isSending = false;
      if (saved === batch.size) {
        this.pending.remove(batch);
        if (this.pending.answers.size > 0) this.schedule(0);
        else this.#saved();
      } else if (response.status === 409) {
        // Completed meanwhile: the start page says so.
        this.pending.remove(batch);
        this.path = this.form.dataset.start;
        this.#saved();
      } else if (response.status >= 500 || response.status === 429 || response.status === 408) {
        this.pausedUntil = Date.now() + readRetryAfter(response);
        this.#retry();
      } else {
        this.isStopped = true;
        this.state.dataset.save = "idle";
        this.#say("outOfDate");
      }
    } catch {
      this.isSending = false;
      this.#retry();
    }
  }

  /** @param {Map<string, string>} answers */
  #send(answers) {
    const { csrfToken } = this.form;
    const body = new URLSearchParams([["csrfToken", csrfToken.value], ...answers]);
    const headers = { accept: "application/json" };
    // Of two requests at once, the older could be stored last.
    this.controller.abort();
    // Younger than the browsers that docs/hosted.md names: AbortSignal.timeout.
    const controller = new AbortController();
    this.controller = controller;
    setTimeout(() => controller.abort(), requestTimeoutMs);
    const { signal } = controller;
    return fetch(this.form.action, { method: "POST", headers, body, signal, keepalive: true });
  }

  #saved() {
    this.state.dataset.save = "done";
    if (this.isTroubled) this.#say("savedAgain");
    this.isTroubled = false;
    this.retries = 0;
    if (this.path !== undefined) location.assign(this.path);
  }

  #retry() {
    const backoffMs = Math.min(maxRetryDelayMs, firstRetryMs * 2 ** this.retries);
    this.retries += 1;
    this.isTroubled = true;
    this.state.dataset.save = "idle";
    this.#say("notSaved");
    this.schedule(backoffMs * (0.5 + Math.random() / 2));
  }

  /** @param {"notSaved" | "savedAgain" | "outOfDate"} kind */
  #say(kind) {
    for (const text of /** @type {NodeListOf<HTMLElement>} */ (this.trouble.querySelectorAll("[data-trouble-kind]"))) {
      text.hidden = text.dataset.troubleKind !== kind;
      if (kind === "savedAgain" && !text.hidden) setTimeout(() => (text.hidden = true), savedNoticeMs);
    }
  }
}

/** The partner's page around this frame. It gets messages once it has greeted, from an allowed origin. */
class EmbeddingPage {
  constructor() {
    /** @type {string | undefined} */
    this.origin = undefined;
    addEventListener("message", ({ source, origin, data }) => {
      const sites = document.body.dataset.sites?.split(" ") ?? [];
      const isAllowed = sites.includes("*") || sites.includes(origin);
      if (source === parent && data?.pas === "hello" && isAllowed && this.origin === undefined) this.#greet(origin);
    });
  }

  /** @param {string} origin */
  #greet(origin) {
    this.origin = origin;
    const { sessionId, onward } = document.body.dataset;
    if (sessionId !== undefined) this.#send("ready", { sessionId });
    this.sendProgress();
    const root = document.documentElement;
    new ResizeObserver(() => this.#send("height", { height: Math.ceil(root.getBoundingClientRect().height) })).observe(
      root,
    );
    for (const form of document.querySelectorAll("form[data-once]")) addHidden(form, "embedded", "true");
    // Without it the person still has the link of this page.
    if (onward !== undefined) this.#sendCompleted(onward).catch(() => {});
  }

  sendProgress() {
    const bar = document.querySelector("progress");
    if (bar !== null) this.#send("progress", { answered: bar.value, total: bar.max });
  }

  /** @param {string} onward */
  async #sendCompleted(onward) {
    const response = await fetch(onward, { headers: { accept: "application/json" } });
    if (!response.ok) return;
    const { searchParams } = new URL((await response.json()).returnUrl);
    const detail = ["sessionId", "status", "completion"].map((name) => [name, searchParams.get(name)]);
    this.#send("completed", Object.fromEntries(detail));
  }

  /** @param {string} type @param {object} detail */
  #send(type, detail) {
    if (this.origin !== undefined) parent.postMessage({ pas: type, ...detail }, this.origin);
  }
}

/** @param {Element} form @param {string} name @param {string} value */
function addHidden(form, name, value) {
  form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
}

/** The pause of a response's Retry-After, in milliseconds. @param {Response} response */
function readRetryAfter({ headers }) {
  const retryAfter = headers.get("retry-after") ?? "";
  return Math.min(maxRetryAfterMs, 1000 * Number(retryAfter) || Date.parse(retryAfter) - Date.now() || 0);
}

/** The statements of a page. */
class Statements {
  /** @param {HTMLFormElement} form @param {EmbeddingPage} embeddingPage */
  constructor(form, embeddingPage) {
    this.form = form;
    this.embeddingPage = embeddingPage;
    this.groups = /** @type {HTMLFieldSetElement[]} */ ([...form.querySelectorAll("fieldset")]);
    this.notice = /** @type {HTMLElement} */ (form.querySelector("[data-notice]"));
    this.list = /** @type {HTMLElement} */ (form.querySelector("[data-missing-list]"));
    this.count = /** @type {HTMLElement} */ (document.querySelector("[data-progress]"));
    this.bar = /** @type {HTMLProgressElement} */ (document.querySelector(".bar progress"));
  }

  /** Checks the choices of answers from before a reload. @param {Map<string, string>} answers */
  restore(answers) {
    for (const [name, value] of answers) {
      const choice = this.form.querySelector(`input[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`);
      if (choice instanceof HTMLInputElement) choice.checked = true;
    }
    this.showProgress();
  }

  /** @param {HTMLElement} group */
  isAnswered(group) {
    return group.querySelector("input:checked") !== null;
  }

  missing() {
    return this.groups.filter((group) => "required" in group.dataset && !this.isAnswered(group));
  }

  showProgress() {
    const { elsewhere, total } = this.form.dataset;
    const answerCount = Number(elsewhere) + this.groups.filter((group) => this.isAnswered(group)).length;
    const template = this.count.dataset.progress ?? "";
    const text = template.replace("{given}", String(answerCount)).replace("{total}", total ?? "");
    this.count.textContent = text;
    this.bar.value = answerCount;
    this.bar.setAttribute("aria-label", text);
    this.embeddingPage.sendProgress();
  }

  /** Names the statements without an answer, and goes to the first one. */
  showMissing() {
    const missing = this.missing();
    for (const group of this.groups) this.#mark(group, missing.includes(group));
    this.list.replaceChildren(...missing.map((group) => this.#link(group)));
    this.notice.hidden = missing.length === 0;
    missing[0]?.querySelector("input")?.focus();
  }

  /** Removes the error of a statement that has an answer now. @param {HTMLElement} group */
  answered(group) {
    if (this.notice.hidden) return;
    this.#mark(group, false);
    this.list.querySelector(`[href="#${CSS.escape(group.id)}-1"]`)?.parentElement?.remove();
    if (this.list.childElementCount === 0) this.notice.hidden = true;
  }

  /** @param {HTMLElement} group @param {boolean} isMissing */
  #mark(group, isMissing) {
    const message = /** @type {HTMLElement} */ (group.querySelector(".missing"));
    message.hidden = !isMissing;
    group.toggleAttribute("data-missing", isMissing);
    if (isMissing) group.setAttribute("aria-describedby", message.id);
    else group.removeAttribute("aria-describedby");
  }

  /** @param {HTMLElement} group */
  #link(group) {
    const link = document.createElement("a");
    link.href = `#${group.id}-1`;
    link.textContent = group.querySelector("[data-text]")?.textContent ?? "";
    const item = document.createElement("li");
    item.append(link);
    return item;
  }
}

/** @param {HTMLFormElement} form @param {EmbeddingPage} embeddingPage */
function startAnswers(form, embeddingPage) {
  const saver = new Saver(form);
  const statements = new Statements(form, embeddingPage);
  statements.restore(saver.pending.answers);
  // Choices made before the script ran. Browsers restore no choices after a reload, because of `autocomplete`: an old one could
  // replace a newer answer from another device.
  for (const choice of form.querySelectorAll("input[type=radio]:checked")) {
    if (choice instanceof HTMLInputElement && !choice.defaultChecked) saver.add(choice.name, choice.value);
  }
  saver.start();
  let isTouch = false;

  form.addEventListener("pointerdown", (event) => {
    isTouch = event.pointerType === "touch";
  });
  form.addEventListener("keydown", (event) => {
    isTouch = false;
    chooseByKey(event);
  });
  form.addEventListener("change", (event) => {
    const choice = event.target;
    const group = choice instanceof HTMLInputElement ? choice.closest("fieldset") : null;
    if (!(choice instanceof HTMLInputElement) || group === null) return;
    const isFirst = !("answered" in group.dataset);
    group.dataset.answered = "";
    saver.add(choice.name, choice.value);
    statements.answered(group);
    statements.showProgress();
    if (isTouch && isFirst) scrollToNext(statements, group);
  });
  for (const group of statements.groups) if (statements.isAnswered(group)) group.dataset.answered = "";

  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    // Otherwise the browser sends the form. Safari 15.0 does not report the submitter.
    if (saver.isStopped || !(button instanceof HTMLButtonElement)) return;
    if (button.value === "next" && statements.missing().length > 0) statements.showMissing();
    else saver.leaveFor(button.dataset.to ?? location.href);
    event.preventDefault();
  });
}

/** Saves answers of another page, then reloads this page; nothing is completed before that. @param {HTMLFormElement} form */
function startPending(form) {
  const saver = new Saver(form);
  if (saver.pending.answers.size === 0) return;
  form.hidden = false;
  saver.leaveFor(location.href);
  saver.start();
  addEventListener("submit", (event) => saver.isStopped || event.preventDefault(), { capture: true });
}

/** 1 to 9 on a statement choose its first to ninth choice. @param {KeyboardEvent} event */
function chooseByKey({ key, target, altKey, ctrlKey, metaKey }) {
  if (altKey || ctrlKey || metaKey || !/^[1-9]$/.test(key) || !(target instanceof HTMLInputElement)) return;
  const choice = target.closest("fieldset")?.querySelectorAll("input")[Number(key) - 1];
  choice?.focus();
  choice?.click();
}

/** Scrolls the next statement to where the answered one was. @param {Statements} statements @param {HTMLFieldSetElement} last */
function scrollToNext(statements, last) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const later = statements.groups.slice(statements.groups.indexOf(last) + 1);
  const next = later.find((group) => !statements.isAnswered(group));
  if (next !== undefined) next.scrollIntoView({ behavior: "smooth", block: "start" });
}

/** Sends a form only once, however often its button is pressed. @param {HTMLFormElement} form */
function sendOnce(form) {
  form.addEventListener("submit", (event) => {
    const button = form.querySelector("button");
    if (event.defaultPrevented) return;
    if (button === null || button.getAttribute("aria-disabled") === "true") return event.preventDefault();
    button.setAttribute("aria-disabled", "true");
    button.textContent = form.dataset.once ?? "";
  });
}

// A page from the browser's cache may be out of date.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

const embedding = new EmbeddingPage();
for (const form of document.querySelectorAll("form")) {
  if ("answers" in form.dataset) startAnswers(form, embedding);
  if ("pending" in form.dataset) startPending(form);
  if ("once" in form.dataset) sendOnce(form);
}

// A session cookie with the time zone, for dates on the report.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
window.cookieStore?.set({ name: "pas-time-zone", value: timeZone, sameSite: "lax" }).catch(() => {});
