// Takes pictures in Chromium: pages on each screen and on paper, and documents as they open.
import { createRequire } from "node:module";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { createRendering } from "../../src/products/values-bridge/report-rendering/render-task.ts";
import { chromiumFlags, provideBrowser } from "../../test/support/browser/provide.ts";
import type { Sample } from "./samples.ts";

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const desktop = { viewport: { width: 1280, height: 900 } };

/** Where a page is looked at. */
export const screens: Readonly<Record<string, BrowserContextOptions>> = {
  phone,
  "small-phone-dark": { ...phone, viewport: { width: 320, height: 640 }, colorScheme: "dark" },
  desktop,
  "desktop-dark": { ...desktop, colorScheme: "dark" },
  paper: desktop,
};

/** A picture, and the document that it is of. */
export interface Picture {
  /** Without extension. */
  readonly name: string;
  readonly png: Uint8Array;
  readonly document?: Uint8Array;
}

const site = "http://pictures.example";
const pdfJs = ["pdf.mjs", "pdf.worker.mjs"].map((file) => {
  return [`/${file}`, createRequire(import.meta.url).resolve(`pdfjs-dist/legacy/build/${file}`)] as const;
});

/** Draws each page of a PDF below the one before. */
const drawing = `<!doctype html><body style="margin:0;background:#999"><script type="module">
import { getDocument, GlobalWorkerOptions } from "/pdf.mjs";
GlobalWorkerOptions.workerSrc = "/pdf.worker.mjs";
const pdf = await getDocument({ url: "/file.pdf" }).promise;
for (let number = 1; number <= pdf.numPages; number += 1) {
  const page = await pdf.getPage(number);
  const viewport = page.getViewport({ scale: 1.25 });
  const canvas = Object.assign(document.createElement("canvas"), { width: viewport.width, height: viewport.height });
  canvas.style = "display:block;margin:0 auto 8px";
  document.body.append(canvas);
  await page.render({ canvas, viewport }).promise;
}
document.title = "drawn";
</script>`;

/** Takes the pictures of samples, one after the other. @throws Error in one line where there is no Chromium */
export async function* takePictures(samples: readonly Sample[]): AsyncGenerator<Picture> {
  const executablePath = await provideBrowser("chromium");
  const browser = await chromium.launch({ executablePath, args: chromiumFlags });
  const render = createRendering();
  try {
    for (const sample of samples) {
      if (sample.kind === "page") {
        for (const screen of Object.keys(screens)) yield await pageOn(browser, sample, screen);
      } else {
        const { format } = sample.task;
        const document = await render(sample.task);
        const png = format === "png" ? document : await documentIn(browser, document, format);
        yield { name: sample.name.replace(/\.\w+$/, `-${format}`), png, ...(format === "pdf" && { document }) };
      }
    }
  } finally {
    await browser.close();
  }
}

async function pageOn(browser: Browser, { name, html }: Sample & { kind: "page" }, screen: string): Promise<Picture> {
  const isPaper = screen === "paper";
  const show = async (page: Page) => {
    await page.route("**/*", (route) => route.fulfill({ body: html, contentType: "text/html; charset=utf-8" }));
    await page.goto(site);
  };
  const picture = await within(browser, screens[screen] ?? {}, async (page) => {
    await show(page);
    return isPaper ? page.pdf({ format: "A4" }) : page.screenshot({ fullPage: true });
  });
  return { name: `${name}-${screen}`, png: isPaper ? await documentIn(browser, picture, "pdf") : picture };
}

function documentIn(browser: Browser, document: Uint8Array, format: "pdf" | "svg"): Promise<Uint8Array> {
  return within(browser, { viewport: { width: 840, height: 600 } }, async (page) => {
    const body = Buffer.from(document);
    await page.route("**/*", (route) => {
      const path = new URL(route.request().url()).pathname;
      const [, script] = pdfJs.find(([name]) => name === path) ?? [];
      if (script !== undefined) return route.fulfill({ path: script, contentType: "text/javascript" });
      if (path === "/file.pdf") return route.fulfill({ body, contentType: "application/pdf" });
      if (path === "/file.svg") return route.fulfill({ body, contentType: "image/svg+xml" });
      const image = `<!doctype html><body style="margin:0"><img src="/file.svg" style="display:block;width:100%">`;
      return route.fulfill({ body: format === "pdf" ? drawing : image, contentType: "text/html; charset=utf-8" });
    });
    await page.goto(site);
    if (format === "pdf") await page.waitForFunction("document.title === 'drawn'");
    return page.screenshot({ fullPage: true });
  });
}

async function within<T>(
  browser: Browser,
  options: BrowserContextOptions,
  use: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  try {
    return await use(await context.newPage());
  } finally {
    await context.close();
  }
}
