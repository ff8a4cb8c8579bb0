// The samples of all pages for shells are read by every shell, know the commands that they use, and texts on how long an
// assessment takes say what its pages say.
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { GetHostedSessionResponseSchema } from "../../src/gen/assessment/v1/hosted_service_pb.ts";
import { splitPages, summarizeProgress } from "../../src/pages/views/pagination.ts";

const files = globSync("{*.md,{docs,deploy,mcp}/**/*.md,{clients,examples}/*/README.md}").filter(
  (file) => !file.includes("node_modules"),
);
const blocks = files.flatMap((file) => {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/^( *)```(sh|bash)\n(.*?)^ *```$/gms)].map(([, indent = "", language = "", code = ""]) => {
    return { file, language, code: code.replaceAll(new RegExp(`^${indent}`, "gm"), "") };
  });
});

test("sh and bash can read every block of a shell; what bash alone can read says so", () => {
  expect(blocks.length).toBeGreaterThan(80);
  const unread = blocks.flatMap(({ file, language, code }) =>
    (language === "sh" ? ["sh", "bash"] : ["bash"]).flatMap((shell) => {
      const { status, stderr } = spawnSync(shell, ["-n"], { input: code, encoding: "utf8" });
      return status === 0 ? [] : [`${file}, ${shell}: ${stderr.trim()}\n${code}`];
    }),
  );
  expect(unread).toEqual([]);
});

test("a page with commands of `pas` says what that is in a checkout", () => {
  const using = blocks.filter(({ code }) => /(^|\$\()\s*pas /m.test(code)).map(({ file }) => file);
  expect(using).toContain("docs/first-partner.md");
  // Operators of the runbook and of deploy/ have installed it.
  const others = new Set(using.filter((file) => !/runbook|command-line|^deploy/.test(file)));
  expect([...others].filter((file) => !readFileSync(file, "utf8").includes("pas() {"))).toEqual([]);
});

test("documents name the minutes of each form that its pages name", () => {
  const computeMinutes = (count: number) => {
    const statements = Array.from({ length: count }, (_, index) => ({ questionId: index + 1, required: true }));
    return summarizeProgress(splitPages(create(GetHostedSessionResponseSchema, { sections: [{ statements }] })))
      .minutes;
  };
  for (const file of ["docs/go-live.md", "docs/studies.md"]) {
    const minutesOnPage = [...readFileSync(file, "utf8").matchAll(/takes about (\d+) minutes/g)].map(([, minutes]) =>
      Number(minutes),
    );
    expect(minutesOnPage.length).toBeGreaterThan(0);
    expect(new Set(minutesOnPage)).toEqual(new Set([computeMinutes(152)]));
  }
  const short = `about ${computeMinutes(76)} minutes`;
  expect(readFileSync("docs/instrument.md", "utf8")).toContain(`76 ratings, ${short}`);
  expect(readFileSync("CHANGELOG.md", "utf8")).toContain(`76 of the statements in ${short}`);
  expect(readFileSync("proto/assessment/v1/session_service.proto", "utf8")).toContain(
    `half of the statements, in ${short}`,
  );
});
