// How to call an operation, in curl, TypeScript and Python. Values that differ between callers are variables of the
// environment, so that a sample runs unchanged.
import { codeBlock } from "../code-block.ts";
import type { PlacedOperation } from "./api-document.ts";

export const sampleLanguages = ["sh", "ts", "python"] as const;
export type SampleLanguage = (typeof sampleLanguages)[number];

interface Call {
  readonly method: string;
  readonly path: string;
  readonly hasToken: boolean;
  readonly json: object | undefined;
  readonly form: Readonly<Record<string, string>> | undefined;
  /** The kind of the response body; undefined without one. */
  readonly answer: "json" | "text" | undefined;
}

/** Path parameters: constants, and variables of the environment. */
const places: Readonly<Record<string, string>> = {
  product: "values-bridge",
  externalId: "user-42",
  id: "$SESSION_ID",
  groupId: "$GROUP_ID",
  endpointId: "$ENDPOINT_ID",
};

/** The samples of an operation, by language. */
export function codeSamples(operation: PlacedOperation): Readonly<Record<SampleLanguage, string>> {
  const { operationId, method } = operation;
  const call = {
    method: method.toUpperCase(),
    path: operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => places[name] ?? name),
    hasToken: sampleForms[operationId] === undefined,
    json: sampleBodies[operationId],
    form: sampleForms[operationId],
    answer: answerOf(operation),
  };
  return { sh: inCurl(call), ts: inTypeScript(call), python: inPython(call) };
}

function answerOf({ operationId, responses }: PlacedOperation): Call["answer"] {
  if (responses.has(204) || operationId === "revokeToken") return undefined;
  const { content = {} } = responses.get(200) ?? responses.get(201) ?? {};
  return "application/json" in content ? "json" : "text";
}

/** The samples as blocks of HTML. */
export function codeSampleBlocks(operation: PlacedOperation): string {
  const samples = codeSamples(operation);
  return `<div class="tabs">${sampleLanguages.map((language) => codeBlock(samples[language], language)).join("")}</div>`;
}

function inCurl({ method, path, hasToken, json, form }: Call): string {
  const data = Object.entries(form ?? {}).map(
    ([name, value]) => `-d ${value.startsWith("$") ? `"${name}=${value}"` : `${name}=${value}`}`,
  );
  const isImplied = method === "GET" || (method === "POST" && (json !== undefined || form !== undefined));
  return [
    `curl -sS ${isImplied ? "" : `-X ${method} `}"$PAS_URL${path}"`,
    ...(hasToken ? [`-H "Authorization: Bearer $TOKEN"`] : []),
    ...(json === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${shellWord(JSON.stringify(json))}`]),
    ...data,
  ].join(" \\\n  ");
}

/** `$NAME` of a text as an expression inside of a template. */
const inTemplate = (text: string) => text.replaceAll(/\$(\w+)/g, (_, name: string) => `\${env.${name}}`);

function inTypeScript({ method, path, hasToken, json, form, answer }: Call): string {
  const headers = [
    ...(hasToken ? [`Authorization: \`Bearer ${inTemplate("$TOKEN")}\``] : []),
    ...(json === undefined ? [] : ['"Content-Type": "application/json"']),
  ];
  const body = withVariables(JSON.stringify(json ?? form ?? {}), (name) => `String(env.${name})`);
  return [
    'import { env } from "node:process";',
    "",
    `const response = await fetch(\`${inTemplate(`$PAS_URL${path}`)}\`, {`,
    `  method: "${method}",`,
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(", ")} },`]),
    ...(json === undefined ? [] : [`  body: JSON.stringify(${body}),`]),
    ...(form === undefined ? [] : [`  body: new URLSearchParams(${body}),`]),
    "});",
    `console.log(response.status${answer === undefined ? "" : `, await response.${answer}()`});`,
  ].join("\n");
}

function inPython({ method, path, hasToken, json, form, answer }: Call): string {
  const address = `$PAS_URL${path}`.replaceAll(/\$(\w+)/g, "{os.environ['$1']}");
  const body = withVariables(pythonLiteral(json ?? form ?? {}), (name) => `os.environ["${name}"]`);
  return [
    "import os",
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    `    f"${address}",`,
    ...(hasToken ? [`    headers={"Authorization": f"Bearer {os.environ['TOKEN']}"},`] : []),
    ...(json === undefined ? [] : [`    json=${body},`]),
    ...(form === undefined ? [] : [`    data=${body},`]),
    "    timeout=10,",
    ")",
    `print(response.status_code${{ json: ", response.json()", text: ", response.text", none: "" }[answer ?? "none"]})`,
  ].join("\n");
}

/** `"$NAME"` of JSON as an expression. */
function withVariables(text: string, expression: (name: string) => string): string {
  return text.replaceAll(/"\$(\w+)"/g, (_, name: string) => expression(name));
}

/** JSON as one word of a shell, with variables expanded. */
function shellWord(text: string): string {
  return text.includes("$") ? `"${text.replaceAll('"', '\\"')}"` : `'${text}'`;
}

/** JSON as Python writes it. */
function pythonLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    return `{${Object.entries(value)
      .map(([name, member]) => `${JSON.stringify(name)}: ${pythonLiteral(member)}`)
      .join(", ")}}`;
  }
  if (typeof value === "boolean") return value ? "True" : "False";
  return JSON.stringify(value);
}

/** JSON bodies, by operation; without one an operation has no body. `$NAME` is a variable of the environment. */
const sampleBodies: Readonly<Record<string, object>> = {
  createSession: { subject: { externalId: "user-42" } },
  recordAnswers: { answers: [{ questionId: 1001, response: { type: "likert", value: 5 } }] },
  completeSession: { answers: [{ questionId: 1002, response: { type: "likert", value: 3 } }] },
  createGroup: { label: "Team North, autumn" },
  createReportLink: { expiresInSeconds: 86_400 },
  setIntention: { step: "Call one person just to hear how they are", lookAgainOn: "2027-01-07" },
  createWebhookEndpoint: { url: "$RECEIVER_URL", types: ["session.completed", "session.scored"] },
  updateWebhookEndpoint: { description: "Results for the app" },
  rotateWebhookSecret: { overlapSeconds: 3600 },
  redeliverEvents: { eventIds: ["$EVENT_ID"] },
  replayEvents: {},
  autofillSession: { persona: "archetype-7" },
  setTestClock: { now: "2036-01-01T00:00:00Z" },
};

/** Form bodies, likewise. */
const sampleForms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  issueToken: {
    grant_type: "client_credentials",
    client_id: "$PAS_CLIENT_ID",
    client_secret: "$PAS_CLIENT_SECRET",
  },
  revokeToken: { token: "$TOKEN", client_id: "$PAS_CLIENT_ID", client_secret: "$PAS_CLIENT_SECRET" },
};
