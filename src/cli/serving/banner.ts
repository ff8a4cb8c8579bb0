// What a person sees who starts the service for the first time.
import type { App } from "../../process/app.ts";
import type { CommandContext } from "../command.ts";
import type { DemoClient } from "../demo/demo-client.ts";

/** Prints the addresses and commands that work when pasted. The secret in them is that of the demo client only. */
export function printBanner({ say, config }: CommandContext, app: App, { clientId, clientSecret }: DemoClient): void {
  const url = app.httpUrl;
  say(`
Partner Assessment Service
  docs     ${url}/docs
  REST     ${url}/v1
  gRPC     ${config.HOST}:${app.grpcPort}
  ready    ${url}/readyz

Paste this into another terminal: it creates a session, answers its questions, and shows the results.

  URL=${url}/v1/values-bridge/sessions JSON='Content-Type: application/json'
  AUTH="Authorization: Bearer $(curl -s ${url}/oauth/token -d grant_type=client_credentials \\
    -d client_id=${clientId} -d client_secret=${clientSecret} | cut -d'"' -f4)"
  SESSION=$(curl -s $URL -H "$AUTH" -H "$JSON" -d '{"subject": {"externalId": "user-1"}}')
  ANSWERS=$(printf '%s' "$SESSION" | grep -o '"id":[0-9]*,"prompt"' | awk -F'[:,]' \\
    '{ printf "%s{\\"questionId\\":%d,\\"response\\":{\\"type\\":\\"likert\\",\\"value\\":%d}}", s, $2, 1 + $2 * 3 % 7; s = "," }')
  curl -s $URL/$(printf '%s' "$SESSION" | cut -d'"' -f4)/complete -H "$AUTH" -H "$JSON" \\
    -d '{"answers": ['"$ANSWERS"']}' | head -c 700; echo

Or see the results of a whole assessment as a table: npm run demo, or pas demo
Stop with Ctrl-C.
`);
}
