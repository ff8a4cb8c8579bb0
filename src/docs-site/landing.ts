// The first page: what the service is, for whom, and where to begin.
import { codeBlock } from "./code-block.ts";
import type { Page } from "./page.ts";

interface Way {
  readonly title: string;
  readonly text: string;
  /** Label and path below the service's address. */
  readonly links: readonly (readonly [label: string, path: string])[];
}

const ways: readonly Way[] = [
  {
    title: "Your product calls it",
    text: "You are a partner's engineer. Five REST requests lead from a token to results; every sample runs unchanged.",
    links: [
      ["Getting started", "docs/getting-started"],
      ["Try it with test people", "docs/sandbox"],
      ["Get notified by webhooks", "docs/webhooks"],
    ],
  },
  {
    title: "Our pages ask for you",
    text: "You send a person to a link. They answer on any phone, come back to you, and read a report in your colours.",
    links: [
      ["Hosted pages", "docs/hosted"],
      ["Reports", "docs/reports"],
      ["Groups", "docs/groups"],
    ],
  },
  {
    title: "You run it, or build on it",
    text: "You are an operator, or an engineer of a service inside. gRPC and Connect do all that REST does.",
    links: [
      ["Connect and gRPC-Web", "docs/connect"],
      ["Runbook", "docs/runbook"],
      ["Command line", "docs/command-line"],
    ],
  },
];

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
  const cards = ways.map(({ title, text, links }) => {
    const items = links.map(([label, path]) => `<li><a href="../${path}">${label}</a></li>`);
    return `<section><h2>${title}</h2><p>${text}</p><ul>${items.join("")}</ul></section>`;
  });
  const body = `<p class="lead">For teams whose product needs to know what matters to its users. The service asks, scores and explains:
you get ranked values, the gaps between the life a person wants and the life they have, and a report that they can read.</p>
<p class="actions"><a class="primary" href="getting-started">Get started</a><a href="interface">See the whole interface</a></p>
<div class="ways">${cards.join("\n")}</div>
<section class="taste"><div><h2>One request makes a session</h2>
<p>The response has the questions. Record answers, complete the session, and the response holds the results.</p>
${codeBlock(request, "sh")}${codeBlock(response, "json")}</div>
<figure><img src="pictures/demo-report.svg" alt="A circle of 19 petals, one for each value: how far it is wanted, and how far it is lived." width="520" height="428" loading="lazy">
<figcaption>From a report: what a person wants, what they live, and the gap between.</figcaption></figure></section>
<section><h2>Good to know before you build</h2>
<dl class="facts">
<div><dt><a href="results">Results are explained</a></dt><dd>Every number has its formula, its error and a worked example.</dd></div>
<div><dt><a href="trust">You know how far to trust them</a></dt><dd>Quality of answers, reliability, and what was simulated.</dd></div>
<div><dt><a href="errors">Errors say what to do</a></dt><dd>One form, one table, a page for each code.</dd></div>
<div><dt><a href="interface#rules-that-hold-everywhere">Retries are safe</a></dt><dd>Answers and completion by nature, creation with a key.</dd></div>
<div><dt><a href="exports">Data comes out again</a></dt><dd>CSV and JSON lines with a codebook, for all sessions or one person.</dd></div>
<div><dt><a href="deprecation">Nothing breaks unannounced</a></dt><dd>Headers tell a year before a call goes.</dd></div>
</dl></section>`;
  return { path: "docs/", title: "Know what matters to your users", body, sections: [], kind: "landing" };
}
