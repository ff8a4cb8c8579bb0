// Suggestions for misspelt addresses: `/v1/values-bridge/session` where `/v1/{product}/sessions` is meant.
import { meantName } from "../../json/meant-names.ts";
import { operations } from "./operations.ts";

/** Most suggestions for one address. */
const maxRoutes = 3;

const routes = new Map(operations.map(({ url }) => [url.replaceAll(/:(\w+)/g, "{$1}"), segmentsOf(url)]));

/** The templates of the interface that an address is near to. The address itself is in none of them. */
export function nearRoutes(url: string): string[] {
  const segments = segmentsOf(url);
  const path = segments[0] === "v1" ? segments : ["v1", ...segments];
  const near = [...routes].filter(([, route]) => isNear(path, route));
  return near.slice(0, maxRoutes).map(([template]) => template);
}

/** The parts of a path, without its query and without empty ones at its end. */
function segmentsOf(url: string): string[] {
  const [path = ""] = url.split("?", 1);
  return path.replace(/\/+$/, "").split("/").slice(1);
}

function isNear(path: readonly string[], route: readonly string[]): boolean {
  if (path.length !== route.length) return false;
  return route.every((segment, index) => {
    const text = path[index] ?? "";
    return segment.startsWith(":") ? text !== "" : text === segment || meantName(text, [segment]) !== undefined;
  });
}
