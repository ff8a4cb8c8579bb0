// Error messages of commands, as lines for people. Nothing is hidden from operators.
import { Refusal } from "../kernel/errors/refusal.ts";

/** An error, line by line: every fault that the domain found in the request, else the error's message. */
export function describeError(error: unknown): string[] {
  if (error instanceof Refusal && error.violations.length > 0) {
    return error.violations.map(({ path, detail }) => `${path.join("/")}: ${detail}`);
  }
  if (error instanceof Refusal && error.code === "unavailable") {
    return [`${error.message} \`pas doctor\` says why.`];
  }
  return [error instanceof Error ? explainError(error) : "the command failed"];
}

/** For errors of the operating system a text that says what to do, else the error's message. */
function explainError(error: NodeJS.ErrnoException): string {
  // The gRPC server wraps it in its own message, and a worker gets another one.
  const [, address] =
    /(?:listen EADDRINUSE: address already in use|bind EADDRINUSE) ([^\s\]]+)/.exec(error.message) ?? [];
  if (address !== undefined) {
    return `${address} is taken already; stop what listens there, or set another port: HTTP_PORT, GRPC_PORT, METRICS_PORT`;
  }
  if (error.code === "ENOENT" && error.path !== undefined) return `there is no file ${error.path}`;
  if (error.code === "EACCES" && error.path !== undefined) return `the file ${error.path} may not be read or written`;
  if (error.syscall === "mkdir")
    return `the folder ${error.path} cannot be made (${error.code}); set DATA_DIR to a place that you may write to`;
  return error.message;
}

/** Rethrows an error; for `not_found` it says that there is no such partner. */
export function rethrowMissingPartner(error: unknown): never {
  const isUnknown = error instanceof Refusal && error.code === "not_found";
  throw isUnknown ? new Error("there is no such partner; `pas partner list` shows those that there are") : error;
}
