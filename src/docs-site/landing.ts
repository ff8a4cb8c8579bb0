// The first page: what the service is, for whom, and where to begin.
import { readFileSync } from "node:fs";
import { codeBlock } from "./code-block.ts";
import type { Page } from "./page.ts";

const request = `curl -sS "$PAS_URL/v1/values-bridge/sessions" \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"subject": {"externalId": "user-1"}}'`;

const response = `{
  "sessionId": "01a208eb-b842-7536-a18a-17e2ec65941b",
  "mode": "headless",
  "assessment": { "version": 1, "questions": [ … ] }
}`;

/** The page of /docs/. */
export function landingPage(): Page {
  const text = readFileSync(new URL("assets/landing.html", import.meta.url), "utf8");
  const body = text.replace("<!-- sample -->", () => codeBlock(request, "sh") + codeBlock(response, "json"));
  return { path: "docs/", title: "Know what matters to your users", body, sections: [], kind: "landing" };
}
