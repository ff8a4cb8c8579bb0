// Nothing of src is there for tests alone: what a file exports, src itself uses.
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

/** Exports that src does not import by their name. */
const usedOtherwise: Readonly<Record<string, string>> = {
  "src/domain/events/event-types.ts describeEventType": "npm run docs writes it",
  "src/products/values-bridge/report-rendering/worker.ts renderTask": "piscina runs it in a thread",
};

const files = globSync(["src/**/*.ts", "src/main.js"], { exclude: ["src/gen/**"] }).map((file) => ({
  file,
  text: readFileSync(file, "utf8"),
}));

/** The names that a file imports, with their files: `{ name, type Other as mine } from`, `import(…)).name`, or by a function. */
function listImports({ file, text }: (typeof files)[number]): string[] {
  const fixed = [...text.matchAll(/\{([^{}]*)\}\s+from\s+"(\.[^"]+)"/g)];
  const late = [...text.matchAll(/\{([^{}]*)\}\s+=\s+await import\("(\.[^"]+)"\)/g)];
  const direct = [...text.matchAll(/import\("(\.[^"]+)"\)\)\.(\w+)/g)].map(([, path, name]) => ["", name, path]);
  const called = [...text.matchAll(/const (\w+) = \(\) => import\("(\.[^"]+)"\)/g)].flatMap(([, load, path]) =>
    [...text.matchAll(/\(await (\w+)\(\)\)\.(\w+)/g)].flatMap(([, by, name]) =>
      by === load ? [["", name, path]] : [],
    ),
  );
  return [...fixed, ...late, ...direct, ...called].flatMap(([, names = "", path = ""]) =>
    names.split(",").map((name) => {
      const [own = ""] = name
        .trim()
        .replace(/^type /, "")
        .split(/ as |:/);
      return `${normalize(join(dirname(file), path))} ${own}`;
    }),
  );
}

test("every function, class and constant that src exports is used in src", () => {
  const imported = new Set(files.flatMap(listImports));
  const unused = files.flatMap(({ file, text }) =>
    [...text.matchAll(/^export (?:async |abstract )*(?:function\*?|class|const) (\w+)/gm)]
      .map(([, name = ""]) => name)
      .filter((name) => !imported.has(`${file} ${name}`) && text.split(name).length === 2)
      .map((name) => `${file} ${name}`),
  );
  expect(unused.filter((name) => !Object.hasOwn(usedOtherwise, name))).toEqual([]);
});
