// Shows an assessment within a page of a partner: <pas-assessment link="…"></pas-assessment>. docs/hosted.md has its events.
// @ts-check

/** A page that has loaded answers at once; what a browser shows in place of a refused one never does. */
const loadTimeoutMs = 3_000;

/** The frame of a hosted session, as high as its page; events `ready`, `progress` and `completed`. */
class PasAssessment extends HTMLElement {
  /** Ends the listening to messages once the element has left its page. */
  #removal = new AbortController();
  #isAlive = false;

  connectedCallback() {
    // Throws a TypeError where the attribute is missing or no address.
    const link = new URL(this.getAttribute("link") ?? "");
    const frame = document.createElement("iframe");
    this.#removal = new AbortController();
    this.#isAlive = false;
    addEventListener(
      "message",
      ({ source, origin, data }) => {
        if (source === frame.contentWindow && origin === link.origin && typeof data?.pas === "string") {
          this.#isAlive = true;
          this.#receive(frame, data);
        }
      },
      { signal: this.#removal.signal },
    );
    frame.addEventListener("load", () => {
      frame.contentWindow?.postMessage({ pas: "hello" }, link.origin);
      if (!this.#isAlive) setTimeout(() => this.#leaveUnlessAlive(link), loadTimeoutMs);
    });
    frame.title = this.title || "Questionnaire";
    Object.assign(frame.style, { width: "100%", minHeight: "30rem", border: "0", display: "block" });
    frame.src = link.href;
    this.replaceChildren(frame);
  }

  disconnectedCallback() {
    this.#removal.abort();
  }

  /** @param {HTMLIFrameElement} frame @param {{ pas: string }} message */
  #receive(frame, { pas: type, ...detail }) {
    if (type === "height") return frame.style.setProperty("height", `${Number(Object.values(detail)[0])}px`);
    // The next page of statements begins where this element does.
    if (type === "ready" && this.getBoundingClientRect().top < 0) this.scrollIntoView();
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  }

  /** Opens the link in the tab if the browser shows nothing in the frame, or keeps no cookie of it. @param {URL} link */
  #leaveUnlessAlive(link) {
    if (!this.#isAlive && !this.#removal.signal.aborted) location.assign(link);
  }
}

customElements.get("pas-assessment") ?? customElements.define("pas-assessment", PasAssessment);
