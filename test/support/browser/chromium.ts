// Chromium for the tests of the hosted pages: found on this machine, or installed where that is possible.
import { aptInstall, findProgram } from "../programs.ts";

const programs = ["chromium", "chromium-browser", "google-chrome-stable"];

/** The path of the browser. Throws in one line where there is none to be had. */
export async function provideChromium(log: (line: string) => void): Promise<string> {
  const present = await findProgram(...programs);
  if (present !== undefined) return present;
  const aptGet = process.getuid?.() === 0 ? await findProgram("apt-get") : undefined;
  if (aptGet === undefined) {
    throw new Error("there is no Chromium on this machine: install one (Debian, Ubuntu: apt-get install chromium)");
  }
  log("there is no Chromium on this machine: installing it with apt-get");
  await aptInstall(aptGet, ["chromium"]);
  const installed = await findProgram(...programs);
  if (installed === undefined) throw new Error("the package chromium brings no browser");
  return installed;
}
