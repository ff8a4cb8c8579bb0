// Browsers for the tests of the hosted pages: found on this machine, or installed where that is possible.
import { aptInstall, findProgram } from "../run/programs.ts";

/** Of Chromium: nothing of a graphical session is needed, and nothing is fetched that a test did not ask for. */
export const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Names of each browser, and Debian's package. */
const browsers = {
  chromium: { programs: ["chromium", "chromium-browser", "google-chrome-stable"], aptPackage: "chromium" },
  firefox: { programs: ["firefox-esr", "firefox"], aptPackage: "firefox-esr" },
} as const;

export type BrowserName = keyof typeof browsers;

/** The path of the browser. Throws in one line where there is none to be had. */
export async function provideBrowser(name: BrowserName): Promise<string> {
  const { programs, aptPackage } = browsers[name];
  const present = await findProgram(...programs);
  if (present !== undefined) return present;
  const aptGet = process.getuid?.() === 0 ? await findProgram("apt-get") : undefined;
  if (aptGet === undefined) {
    throw new Error(`there is no ${name} on this machine: install one (Debian, Ubuntu: apt-get install ${aptPackage})`);
  }
  console.log(`there is no ${name} on this machine: installing it with apt-get`);
  await aptInstall(aptGet, [aptPackage]);
  const installed = await findProgram(...programs);
  if (installed === undefined) throw new Error(`the package ${aptPackage} brings no browser`);
  return installed;
}
