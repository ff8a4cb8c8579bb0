// Whether a separate gateway reaches its core from here, and the core accepts its credentials.
import type { Config } from "../../config.ts";
import { HopError, Refusal } from "../../kernel/errors/refusal.ts";
import { readCoreTls } from "../../process/gateway-app.ts";
import { isRefusalOfCore } from "../../transport/remote-core/core-errors.ts";
import { createRemoteCore } from "../../transport/remote-core/remote-core.ts";
import { type Finding, fail, isThisMachine, ok, warn } from "./finding.ts";

const about = "core";

/**
 * Makes the readiness call of a gateway to the core. Without credentials no call is possible, which is
 * a separate finding. @param url of the core; undefined if it is not given
 */
export async function checkCore(config: Config, url: string | undefined): Promise<Finding[]> {
  const { GATEWAY_CLIENT_ID: clientId, GATEWAY_CLIENT_SECRET: clientSecret } = config;
  if (url === undefined) {
    return [
      fail(
        about,
        "--core is not given: `pas serve --role gateway` ends at once; give the address of the core's gRPC port",
      ),
    ];
  }
  if (clientId === undefined || clientSecret === undefined) return [];
  try {
    const core = createRemoteCore({
      url,
      tls: await readCoreTls(config, new URL(url)),
      clientId,
      clientSecret,
      observer: () => undefined,
      observeCall: () => undefined,
      isInternalScope: () => false,
      now: () => performance.now(),
    });
    await core.probe();
    const words = `${url} is ready, and knows this gateway`;
    if (url.startsWith("https:") || isThisMachine(url)) return [ok(about, words)];
    return [warn(about, `${words}; tokens and answers travel there in cleartext; give the core TLS, and write https`)];
  } catch (error) {
    return [fail(about, `${url} ${whyNot(error)}`)];
  }
}

/** The error as a text that says what to do. */
function whyNot(error: unknown): string {
  if (!(error instanceof Refusal)) return `cannot be asked: ${error instanceof Error ? error.message : "unknown"}`;
  const { code, cause, message } = error;
  if (code === "deadline_exceeded") return "does not answer in time; is it the gRPC port of a core?";
  if (!(cause instanceof HopError)) return `answers, and refuses this gateway: ${message}`;
  if (cause.cause instanceof Refusal || isRefusalOfCore(cause.cause)) {
    return "does not know this gateway; correct GATEWAY_CLIENT_ID and GATEWAY_CLIENT_SECRET, or make a client of an internal partner with the scope gateway";
  }
  const reason = cause.code === undefined ? "" : ` (${cause.code})`;
  return `cannot be reached from here${reason}; correct --core, the gRPC port of the core, open the way to it, or set CORE_TLS_… as it has TLS`;
}
