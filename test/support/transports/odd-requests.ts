// Requests of REST that are odd or wrong, each in another way, for a recording of what is answered.
import type { Credentials } from "../databases/partners.ts";
import { formOf, type Said, type Say } from "./recorded-script.ts";

const base = "/v1/values-bridge";
const sessions = `${base}/sessions`;
const nobody = "00000000-0000-7000-8000-000000000000";
const likert = (questionId: number, value: unknown) => ({ questionId, response: { type: "likert", value } });
const good = JSON.stringify(likert(1001, 4));
const lists = (levels: number, between = "") => `${"[".repeat(levels)}${between}${"]".repeat(levels)}`;
/** Such a member is at level 2 of a body. */
const formatNested = (name: string, levels: number) => `{"${name}": {"a": ${lists(levels)}}}`;
const zeros = (count: number) => `[${Array(count).fill("0").join(",")}]`;

/** Says everything, in one order. */
export async function oddRequests(say: Say, credentials: Credentials): Promise<void> {
  const { sessionId } = JSON.parse(await say("POST", sessions, { body: {} })) as { sessionId: string };
  await createOddly(say);
  await answerOddly(say, sessionId);
  await askOddly(say, sessionId);
  await addressOddly(say, sessionId);
  await authenticateOddly(say, credentials);
  // Nothing but what was answered with 201 is stored.
  await say("GET", `${sessions}/${sessionId}?include=progress`);
  await say("GET", `${sessions}?limit=200`);
}

async function createOddly(say: Say): Promise<void> {
  const create = (said: Said) => say("POST", sessions, said);
  const bodies: readonly unknown[] = [
    ...[null, { subjct: {} }, { mode: null }, { mode: "Headless" }, { mode: 1, metadata: 2, x: 3 }, { mode: "hosted" }],
    ...["a\ud800", "anon_x", null].map((externalId) => ({ subject: { externalId } })),
    { metadata: { a: ["\udfff"] } },
    ...[17_000, 900_000].map((length) => ({ metadata: { a: "x".repeat(length) } })),
    { subject: null },
    { subject: {} },
    { subject: { userId: "x", note: 1 } },
    { subject: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`m${index}`, index])) },
    { subject: { "a, b": 1, "a\r\nset-cookie: x=1": 1, "ä~/": 1, ["x".repeat(5_000)]: 1 } },
    ...["external_id", "externalID", "external-id", "EXTERNAL_ID", "_externalid"].flatMap((name) => [
      { subject: { [name]: "user-1" } },
      { subject: { note: "x", externalId: "user-1", [name]: "user-1" } },
    ]),
    ...["2099-02-30T00:00:00Z", "2099-01-01T24:00:00Z", "2099-00-10T00:00:00Z"].map((expiresAt) => ({ expiresAt })),
  ];
  for (const body of bodies) await create({ body });
  const texts: readonly (string | Uint8Array<ArrayBuffer>)[] = [
    ...["{} x", " ".repeat(2 << 20), `{"subject": {"a": ${zeros(25_001)}}}`, formatNested("subject", 400_000)],
    `{"subject": {"a": ${lists(19_000, " ".repeat(10_000))}}}`,
    // A body may have 16 levels, wherever they are.
    ...["subject", "metadata", "other"].flatMap((name) => [formatNested(name, 14), formatNested(name, 15)]),
    '{"mode": "headless", "mode": "headless"}',
    '{"subject": {"externalId": "a", "external\\u0049d": "b"}}',
    '{"mode": "headless", "metadata": {"a": [{"mode": "{\\"\\\\"}, {"mode": 1, "b": [], "mode": 2}]}}',
    '{"mode": "::", "metadata": {"a": {"b": 1, "c": [{"d": 2}]}, "a": ":"}}',
    Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d),
    new Uint8Array(Buffer.from("{}", "utf16le")),
  ];
  for (const raw of texts) await create({ raw });
  for (const type of ["application/x-www-form-urlencoded", "application/json; charset=latin1", "application/xml", ""])
    await create({ raw: "{}", headers: { "content-type": type } });
  await create({ raw: "{}", headers: { "content-encoding": "gzip" } });
  for (const key of ["one", '"one"', '""', ""]) await create({ body: {}, headers: { "idempotency-key": key } });
}

async function answerOddly(say: Say, sessionId: string): Promise<void> {
  const session = `${sessions}/${sessionId}`;
  const texts: readonly string[] = [
    "{}",
    '{"answers": null}',
    '{"answers": {}}',
    ...[
      ...[`${good}, 1`, '{"questionId": "1001", "response": {"type": "likert", "value": "5"}}'],
      ...['{"questionId": 1001, "response": {"type": "likert", "value": 1e999}}', JSON.stringify(likert(1001.5, 4))],
      ...[JSON.stringify(likert(4_294_968_297, 4)), `${good}, ${JSON.stringify(likert(1, 4))}`],
      '{"questionId": 1001, "response": {"type": "likert"}}',
      '{"questionId": 1001, "x": 1, "response": {"type": "likert", "value": 4, "y": 2}}',
    ].map((items) => `{"answers": [${items}]}`),
    ...[60, 400_000].map((count) => `{"answers": ${zeros(count)}}`),
  ];
  for (const operation of ["answers", "complete"]) {
    for (const raw of texts) await say("POST", `${session}/${operation}`, { raw });
    await say("POST", `${session}/${operation}`, { raw: "" });
    await say("POST", `${session}/${operation}`);
  }
  await say("POST", `${session}/complete`, { body: { answers: [] } });
}

async function askOddly(say: Say, sessionId: string): Promise<void> {
  const times = ["2026-02-30T00:00:00Z", "2025-02-29T12:00:00%2B01:00", "2026-04-31T23:59:59.999Z"];
  const queries: readonly string[] = [
    ...[...times, "2026-01-01T24:00:00Z", "2026-00-10T00:00:00Z"].map((time) => `createdAfter=${time}`),
    "createdAfter=2024-02-29T23:59:59Z&createdBefore=2096-02-29T00:00:00.5-11:59",
    ...["%ff", "a%2", "%zz", "100%", "100%25"].map((id) => `externalId=${id}`),
    "limit=many&status=done&createdAfter=yesterday&statuss=open&constructor=1",
  ];
  for (const query of queries) await say("GET", `${sessions}?${query}`);
  for (const version of ["0", "1.0", "", "1&version=2", "99999999999"])
    await say("GET", `${base}/assessment?version=${version}`);
  await say("GET", `${base}/assessment?Version=1`);
  await say("GET", `${base}/assessment?x=1`, { as: "nobody" });
  await say("GET", `${sessions}/${sessionId}?expand=answers`);
  for (const query of ["", "True", "true&explain=false", "true&explian=true"])
    await say("GET", `${sessions}/${sessionId}/results?explain=${query}`);
  await say("DELETE", `${base}/subjects/x?force=1`);
}

async function addressOddly(say: Say, sessionId: string): Promise<void> {
  await say("GET", "/nowhere/at/all");
  await say("GET", `${sessions}/${sessionId}`, { as: "twin" });
  const others = [
    ["PUT", sessions],
    ["GET", `${sessions}/${sessionId}/complete`],
    ["DELETE", `${sessions}/${sessionId}`],
    ["POST", `${base}/subjects/x/results`],
    ["PATCH", `${base}/subjects/x`],
  ] as const;
  for (const [method, path] of others) await say(method, path, { as: "nobody" });
}

async function authenticateOddly(say: Say, { clientId, clientSecret }: Credentials): Promise<void> {
  const basicOf = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
  const basic = basicOf(clientId, clientSecret);
  await say("GET", `${base}/assessment`, { as: "none" });
  await say("GET", `${base}/assessment`, { as: "none", headers: { "x-api-key": "key" } });
  for (const authorization of ["pas_at_token", "Token pas_at_token", basic])
    await say("GET", `${base}/assessment`, { as: "none", headers: { authorization } });
  await say("GET", `${base}/assessment?access_token=pas_at_token`, { as: "none" });
  await say("POST", sessions, { raw: "{", as: "nobody" });
  await say("POST", sessions, { body: {}, as: "reader" });
  await say("POST", sessions, { raw: " ".repeat(2 << 20), as: "reader" });
  await say("POST", sessions, { body: {}, headers: { "partner-id": nobody } });

  const grant = "grant_type=client_credentials";
  const posted = (id: string, secret: string) => `${grant}&client_id=${id}&client_secret=${secret}`;
  const token = (form: string, authorization?: string) =>
    say("POST", "/oauth/token", formOf(form, authorization === undefined ? {} : { authorization }));
  const wrong = [
    [clientId, `${clientSecret}x`],
    [clientId, "wrong"],
    [clientSecret, clientId],
    [nobody, clientSecret],
    ["me", "secret"],
  ] as const;
  for (const [id, secret] of wrong) {
    await token(grant, basicOf(id, secret));
    await token(posted(id, secret));
    await say("POST", "/oauth/revoke", formOf("token=x", { authorization: basicOf(id, secret) }));
  }
  for (const authorization of [undefined, "Bearer x", "Basic %%%"]) await token(grant, authorization);
  // Two ways of authentication at once.
  for (const form of [posted(clientId, clientSecret), `${grant}&client_id=other`]) await token(form, basic);
  for (const form of ["grant_type=password", "x=y", `${grant}&${grant}`]) await token(form, basic);
  for (const scope of ["sessions:write admin", "nonsense", "results:read everything", "pas_cs_SECRET"])
    await token(`${grant}&scope=${scope}`, basic);
  await say("POST", "/oauth/revoke", formOf("x=y", { authorization: basic }));
  await say("POST", "/oauth/token", { as: "none", body: {}, headers: { authorization: basic } });
}
