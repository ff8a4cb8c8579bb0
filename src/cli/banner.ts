// What a person sees who starts the service for the first time.
import type { App } from "../app.ts";
import type { CommandContext } from "./command.ts";
import type { DemoClient } from "./demo-client.ts";

/** Prints the addresses and a command that works when pasted. The secret in it is that of the demo client only. */
export function printBanner({ say, config }: CommandContext, app: App, { clientId, clientSecret }: DemoClient): void {
  const url = app.httpUrl;
  say(`
Partner Assessment Service
  REST     ${url}/v1
  gRPC     ${config.HOST}:${app.grpcPort}
  ready    ${url}/readyz

Paste this into another terminal to read the published assessment:

  TOKEN=$(curl -s ${url}/oauth/token -d grant_type=client_credentials \\
    -d client_id=${clientId} -d client_secret=${clientSecret} | cut -d'"' -f4)
  curl -s ${url}/v1/values-bridge/sessions -H "Authorization: Bearer $TOKEN" \\
    -H 'Content-Type: application/json' -d '{"subject": {"externalId": "user-1"}}' | head -c 700; echo

Or play a whole assessment and see its results: npm run demo
Stop with Ctrl-C.
`);
}
