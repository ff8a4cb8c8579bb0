// A test's own schema on the server of the run, as an operator reaches it.
import type { TestDatabase } from "../../support/databases/servers/server.ts";
import type { OperatedDatabase } from "./runbook.ts";

/** Throws where the server has no socket: the projects of these tests run on the embedded one. */
export function operated({ url, address }: TestDatabase): OperatedDatabase {
  if (!("socketPath" in address)) throw new Error("the server of this run has no socket");
  return { url, socketPath: address.socketPath, schema: address.database };
}
