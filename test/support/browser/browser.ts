// A real browser, and devices to open pages with.
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { inject } from "vitest";

/** Nothing of a graphical session is needed, and nothing is fetched that a test did not ask for. */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts the browser with a fresh profile. @param more flags of this one */
export function launchBrowser(...more: string[]): Promise<Browser> {
  return chromium.launch({ executablePath: inject("chromiumPath"), args: [...flags, ...more] });
}

/** A small phone, held upright, and fingers. */
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

/** A device of one person: its own cookies. Whatever moves on its own is off unless a test is about it. */
export async function openDevice(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ locale: "en-GB", reducedMotion: "reduce", ...phone, ...options });
  context.setDefaultTimeout(100_000);
  return { context, page: await context.newPage() };
}
