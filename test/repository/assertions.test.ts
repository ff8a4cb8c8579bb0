// A test that asserts nothing cannot fail: each has an expect, or a helper whose name says that it asserts. A test that fails
// is read by its title, without that of its group: the title is a sentence with a subject.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** `until` throws where what it waits for never comes; helpers that begin with `prove` or `expect` have assertions. */
const asserts = /\b(expect|prove\w*|until\w*)\b|\bexpect\w+/;

const title = /\(\s*(["'`])((?:(?!\1).)*)\1,\s*(?:\{[^}]*\},\s*)?(?:async )?(?:\(|\w+ =>)/;
const caseName = /^ +name: (["'`])(.*)\1,$/gm;
/** Words that continue the title of a group, or put the subject last. */
const lacksSubject =
  /^(also|and|are|as|at(?! least| most)|by|can|cannot|do|does|for|from|gets|gives|has|have|in|is|its?|may|must|not|of|on|says|that|to|which|who|whose|with|without)\b/;

/** The tests of a file: each from its line to the next statement of the same depth. */
function testsOf(text: string): { readonly line: number; readonly body: string }[] {
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
  testsOf(readFileSync(file, "utf8")).map(({ line, body }) => ({ where: `${file}:${line}`, body })),
);

test("every test asserts something", () => {
  expect(tests.length).toBeGreaterThan(1000);
  expect(tests.filter(({ body }) => !asserts.test(body)).map(({ where }) => where)).toEqual([]);
});

test("the title of every test is a sentence that begins with its subject", () => {
  const cases = globSync("test/{e2e,faults}/cases/**/*.ts").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(caseName)].map(([, , name = ""]) => ({ where: file, name })),
  );
  const titled = tests.map(({ where, body }) => ({ where, name: title.exec(body)?.[2] ?? "" }));
  expect(titled.filter(({ name }) => name !== "").length).toBeGreaterThan(1000);
  expect([...titled, ...cases].filter(({ name }) => lacksSubject.test(name))).toEqual([]);
});
