// Stylesheet, script and icon of the site, and the library of its search: named by their content, so that browsers may keep
// them for ever.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { StaticFile } from "../transport/http/static-files.ts";

export interface Assets {
  readonly files: ReadonlyMap<string, StaticFile>;
  readonly paths: Readonly<Record<"style" | "script" | "icon" | "referenceStyle" | "referenceScript", string>>;
}

const css = "text/css; charset=utf-8";
const script = "text/javascript; charset=utf-8";

/** Reads them. */
export function readAssets(): Assets {
  const packageFile = createRequire(import.meta.url).resolve("minisearch");
  const library = readFileSync(join(dirname(packageFile), "../es/index.js"), "utf8");
  const own = (name: string) => readFileSync(new URL(`./assets/${name}`, import.meta.url), "utf8");
  const miniSearch = named("minisearch", "js", script, withoutSourceMap(library));
  const style = named("site", "css", css, own("site.css"));
  const parts = {
    style,
    referenceStyle: named("reference", "css", css, own("reference.css").replace("site.css", nameOf(style.path))),
    referenceScript: named("reference", "js", script, own("reference.js")),
    // The script imports the library by its content-hashed name.
    script: named("site", "js", script, own("site.js").replace('"minisearch"', `"./${nameOf(miniSearch.path)}"`)),
    icon: named("icon", "svg", "image/svg+xml", own("icon.svg")),
  };
  const all = [miniSearch, ...Object.values(parts)];
  return {
    files: new Map(all.map(({ path, file }) => [path, file])),
    paths: {
      style: parts.style.path,
      script: parts.script.path,
      icon: parts.icon.path,
      referenceStyle: parts.referenceStyle.path,
      referenceScript: parts.referenceScript.path,
    },
  };
}

/** Its map is not served. */
function withoutSourceMap(text: string): string {
  const lines = text.split("\n");
  return lines.filter((line) => !line.startsWith("//# sourceMappingURL=")).join("\n");
}

function named(name: string, extension: string, type: string, content: string) {
  const file = new StaticFile(type, content);
  return { path: `docs/assets/${file.nameAs(name, extension)}`, file };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
