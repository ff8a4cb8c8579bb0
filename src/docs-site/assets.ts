// Stylesheet, script and icon of the site, and the library of its search: named by their content, so that browsers may keep
// them for ever.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { StaticFile } from "../transport/http/static-files.ts";

export interface Assets {
  readonly files: ReadonlyMap<string, StaticFile>;
  readonly paths: Readonly<Record<"style" | "script" | "icon" | "referenceStyle" | "referenceScript", string>>;
}

const css = "text/css; charset=utf-8";
const script = "text/javascript; charset=utf-8";

/** Reads them. */
export function readAssets(): Assets {
  const files = new Map<string, StaticFile>();
  /** @returns its path */
  const add = (name: string, extension: string, type: string, content: string) => {
    const file = new StaticFile(type, content);
    const path = `docs/assets/${file.nameAs(name, extension)}`;
    files.set(path, file);
    return path;
  };
  const own = (name: string) => readFileSync(new URL(`./assets/${name}`, import.meta.url), "utf8");
  const packageFile = createRequire(import.meta.url).resolve("minisearch");
  const library = readFileSync(join(dirname(packageFile), "../es/index.js"), "utf8");
  // Its map is not served.
  const miniSearch = add("minisearch", "js", script, library.replace(/^\/\/# sourceMappingURL=.*$/m, ""));
  const style = add("site", "css", css, own("site.css"));
  const paths = {
    style,
    referenceStyle: add("reference", "css", css, own("reference.css").replace("site.css", basename(style))),
    referenceScript: add("reference", "js", script, own("reference.js")),
    // The script imports the library by its content-hashed name.
    script: add("site", "js", script, own("site.js").replace('"minisearch"', `"./${basename(miniSearch)}"`)),
    icon: add("icon", "svg", "image/svg+xml", own("icon.svg")),
  };
  return { files, paths };
}
