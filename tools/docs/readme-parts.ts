// The parts of README.md that are written from the code.
import { Code } from "@connectrpc/connect";
import { variables } from "../../src/config.ts";
import { errorRows } from "../../src/contract/error-table.ts";
import { layers } from "../architecture/layers.ts";
import { table } from "./markdown.ts";

/** The parts by name. */
export function readmeParts(): Record<string, string> {
  return { folders: folderTable(), errors: errorTable(), configuration: configurationTable() };
}

function folderTable(): string {
  const rows = layers.map(({ name, about, mayImport }) => [
    `\`${name}\``,
    about,
    mayImport === "all" ? "all" : mayImport.map((each) => `\`${each}\``).join(", ") || "nothing",
  ]);
  return table(["Folder or file", "What lives there", "May import"], rows);
}

function errorTable(): string {
  const rows = errorRows.map(({ code, httpStatus, grpcCode, when }) => [
    httpStatus ?? "–",
    `\`${code}\``,
    grpcCode === undefined ? "–" : `\`${statusName(grpcCode)}\``,
    when,
  ]);
  return table(["HTTP", "Code", "gRPC", "When"], rows);
}

/** `FailedPrecondition` is `FAILED_PRECONDITION` to those who know gRPC. */
function statusName(code: Code): string {
  return Code[code].replace(/(?<=[a-z])[A-Z]/g, "_$&").toUpperCase();
}

function configurationTable(): string {
  const rows = Object.entries(variables).map(([name, variable]) => [
    `\`${name}\``,
    variable.default ? `\`${variable.default}\`` : "–",
    variable.doc,
  ]);
  return table(["Variable", "Default", "Meaning"], rows);
}
