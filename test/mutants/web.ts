// Faults in the hosted pages.
import type { Mutant } from "./mutant.ts";

export const webMutants: readonly Mutant[] = [
  {
    fault: "a race that was lost is the person's fault",
    file: "src/pages/page-error.ts",
    replace: 'if (code === "conflict") return new PageError("unavailable", 503, { code, retryAfterSeconds: 1 });',
    by: "",
    project: "pure",
    tests: ["test/kernel/errors/page-errors.test.ts"],
  },
  {
    fault: "of two answers in a form the first one counts",
    file: "src/pages/browser-session/form.ts",
    replace: "value.at(-1)",
    by: "value.at(0)",
    project: "web",
    tests: ["test/pages/entry.test.ts"],
  },
  {
    fault: "pages may be stored by caches",
    file: "src/pages/headers.ts",
    replace: '  "cache-control": "no-store",\n',
    by: "",
    project: "web",
    tests: ["test/pages/entry.test.ts"],
  },
  {
    fault: "responses to the script may be stored by caches",
    file: "src/pages/routes/questions.ts",
    replace: 'reply.header("cache-control", "no-store").send({ saved',
    by: "reply.send({ saved",
    project: "web",
    tests: ["test/pages/entry.test.ts"],
  },
  {
    fault: "refusals to the script may be stored by caches",
    file: "src/pages/error-pages.ts",
    replace: 'reply.header("cache-control", "no-store").send({ code',
    by: "reply.send({ code",
    project: "web",
    tests: ["test/pages/entry.test.ts"],
  },
  {
    fault: "the host of a logo adds directives",
    file: "src/pages/headers.ts",
    replace: "return plainOrigin.test(origin) ? [origin] : [];",
    by: 'return origin === "" ? [] : [origin];',
    project: "pure",
    tests: ["test/kernel/page-headers.test.ts"],
  },
];
