// The parts of reference pages that are written from the code.
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { Code } from "@connectrpc/connect";
import { variables } from "../../../src/config.ts";
import { describeEventType, eventTypes } from "../../../src/domain/events/event-types.ts";
import { errorRows } from "../../../src/kernel/errors/error-table.ts";
import { readDeprecation } from "../../../src/kernel/rpc-options.ts";
import { services } from "../../../src/kernel/services.ts";
import { layers } from "../../architecture/layers.ts";
import { testFolders } from "../../architecture/test-folders.ts";
import { table } from "../markdown.ts";

/** The folders of src. */
export function folderTable(): string {
  return table(
    ["Folder or file", "What lives there"],
    layers.map(({ name, about }) => [`\`${name}\``, about]),
  );
}

/** The folders of test, and what they show. */
export function testFolderTable(): string {
  return table(
    ["Folder", "What is shown there"],
    testFolders.map(({ name, about }) => [`\`${name}\``, about]),
  );
}

/** Every decision: its number and its title. */
export function decisionTable(): string {
  const rows = globSync("docs/decisions/[0-9]*.md")
    .toSorted()
    .map((file) => {
      const page = readFileSync(file, "utf8");
      const [, number = "", title = ""] = /^# (\d+)\. (.+)$/m.exec(page) ?? [];
      return [number, `[${title}](${basename(file)})`];
    });
  return table(["", "Decision"], rows);
}

/** Every reason for which a call is refused. */
export function errorTable(): string {
  const rows = errorRows.map(({ code, httpStatus, grpcCode, when, remedy }) => [
    httpStatus ?? "–",
    `\`${code}\``,
    grpcCode === undefined ? "–" : `\`${statusName(grpcCode)}\``,
    when,
    remedy,
  ]);
  return table(["HTTP", "Code", "gRPC", "When", "What to do"], rows);
}

/** `FailedPrecondition` is `FAILED_PRECONDITION` to those who know gRPC. */
function statusName(code: Code): string {
  return Code[code].replace(/(?<=[a-z])[A-Z]/g, "_$&").toUpperCase();
}

/** Every type of event, and the test that webhooks are sent. */
export function eventTypeTable(): string {
  const rows = eventTypes.map((type) => [`\`${type}\``, describeEventType(type)]);
  return table(["Type", "When"], [...rows, ["`webhook.test`", "you asked for a test; it is in no log"]]);
}

/** Every rpc that callers should leave. */
export function deprecationTable(): string {
  const rows = services.flatMap(({ methods }) =>
    methods.flatMap((method) => {
      const deprecation = readDeprecation(method);
      if (deprecation === undefined) return [];
      const [since = "", sunset = ""] = [deprecation.since, deprecation.sunset].map((day) =>
        day.toISOString().slice(0, 10),
      );
      return [[`\`${method.parent.name}/${method.name}\``, since, sunset, deprecation.instead]];
    }),
  );
  return rows.length === 0 ? "Nothing is." : table(["Call", "Since", "Sunset", "Use instead"], rows);
}

/** Every variable of the environment. */
export function configurationTable(): string {
  const rows = Object.entries(variables).map(([name, variable]) => [
    `\`${name}\``,
    variable.default ? `\`${variable.default}\`` : "–",
    variable.doc,
  ]);
  return table(["Variable", "Default", "Meaning"], rows);
}
