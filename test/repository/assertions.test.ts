// A test that asserts nothing cannot fail: each has an expect, or a helper whose name says that it asserts.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** `until` throws where what it waits for never comes; helpers that begin with `prove`, `walk` or `expect` have assertions. */
const asserts = /\b(expect|prove\w*|until\w*|walk\w*)\b|\bexpect\w+/;

/** The tests of a file: each from its line to the next statement of the same depth. */
function splitTests(text: string): { readonly line: number; readonly body: string }[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    const depth = /^( *)test(\.\w+)*[(<]/.exec(line)?.[1];
    if (depth === undefined) return [];
    const isNext = (each: string) => each.startsWith(depth) && /^[^\s)}\]]/.test(each.slice(depth.length));
    const length = lines.slice(index + 1).findIndex(isNext);
    return [{ line: index + 1, body: lines.slice(index, length < 0 ? undefined : index + 1 + length).join("\n") }];
  });
}

const tests = globSync("test/**/*.test.ts").flatMap((file) =>
  splitTests(readFileSync(file, "utf8")).map(({ line, body }) => ({ where: `${file}:${line}`, body })),
);

test("every test asserts something", () => {
  expect(tests.length).toBeGreaterThan(1000);
  expect(tests.filter(({ body }) => !asserts.test(body)).map(({ where }) => where)).toEqual([]);
});
