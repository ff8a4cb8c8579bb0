// A real browser, and devices to open pages with.
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  firefox,
  type Page,
} from "playwright-core";
import { inject, onTestFinished } from "vitest";
import { chromiumFlags } from "./provide.ts";

/** Longer than a start or a page takes on a machine with a tenth of its speed. */
const timeout = 300_000;

/** Starts the browser with a fresh profile. @param more flags of Chromium */
export function launchBrowser(...more: string[]): Promise<Browser> {
  const executablePath = inject("browserPath");
  if (inject("browser") === "chromium") {
    return chromium.launch({
      executablePath,
      timeout,
      args: [...chromiumFlags, ...more],
      // Pages that are left are kept alive, as in the browsers of people.
      ignoreDefaultArgs: ["--disable-back-forward-cache"],
    });
  }
  // Firefox as Debian has it, by WebDriver BiDi. A window without a screen has no mouse, and scroll bars that take room.
  const mouse = { "ui.primaryPointerCapabilities": 6, "ui.allPointerCapabilities": 6 };
  const firefoxUserPrefs = { ...mouse, "ui.prefersReducedMotion": 1, "ui.useOverlayScrollbars": 1 };
  return firefox.launch({ channel: "moz-firefox", executablePath, timeout, firefoxUserPrefs });
}

/**
 * For tests of what WebDriver BiDi cannot set or measure in Firefox: dark and light, motion, paper, scripts that are off,
 * bytes on the network, shifts of the layout.
 */
export const chromiumAlone: readonly string[] = inject("browser") === "chromium" ? ["Chromium"] : [];

/**
 * A small phone, held upright. It is clicked: what a touch becomes depends on when the browser hears of its end, and on a busy
 * machine it is no click.
 */
export const phone = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
} as const;

export const desktop = {
  viewport: { width: 1280, height: 900 },
  hasTouch: false,
  isMobile: false,
  deviceScaleFactor: 1,
} as const;

/** A device of one person until the test ends: its own cookies. Whatever moves on its own is off unless a test is about it. */
export async function openDevice(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ locale: "en-GB", reducedMotion: "reduce", ...phone, ...options });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(timeout);
  return { context, page: await context.newPage() };
}
