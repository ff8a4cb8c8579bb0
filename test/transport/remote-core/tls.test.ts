// TLS between a gateway of its own and its core: a private authority, certificates on both sides, and every way to get it
// wrong, which is the operator's to mend.
import { join } from "node:path";
import { expect, test } from "vitest";
import { addCaller, startTestGateway } from "../../support/app.ts";
import { folderOfFile } from "../../support/folders.ts";
import { appOfTest, gatewayOfTest } from "../../support/of-test.ts";
import { copyCertificates } from "../../support/processes/certificates.ts";

const folder = folderOfFile();
copyCertificates(folder);
const file = (name: string) => join(folder, name);

const cleartext = () => ({});
const tls = () => ({ GRPC_TLS_CERT_FILE: file("server.pem"), GRPC_TLS_KEY_FILE: file("server.key") });
const mutual = () => ({ ...tls(), GRPC_TLS_CLIENT_CA_FILE: file("ca.pem") });
const authority = () => ({ CORE_TLS_CA_FILE: file("ca.pem") });
const certificate = () => ({ CORE_TLS_CERT_FILE: file("client.pem"), CORE_TLS_KEY_FILE: file("client.key") });

/** What a partner, a load balancer and an operator see of a gateway. */
async function seen(core: Record<string, string>, scheme: string, environment: Record<string, string>, host?: string) {
  const app = await appOfTest(core);
  const address = host === undefined ? app.grpcAddress : app.grpcAddress.replace("127.0.0.1", host);
  const gateway = await gatewayOfTest(app, { coreUrl: `${scheme}://${address}`, environment });
  const { token } = await addCaller(app);
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${gateway.httpUrl}/v1/values-bridge/assessment`, { headers });
  const readiness = await fetch(`${gateway.httpUrl}/readyz`);
  const errors = gateway.logLines.map((line) => JSON.parse(line)).filter(({ level }) => level === "error");
  return { statuses: [response.status, readiness.status], codes: new Set(errors.map(({ err }) => err.code)) };
}

test.each([
  ["a gateway that knows the core's authority", tls, authority],
  ["a gateway with a certificate, by a core that asks for one", mutual, () => ({ ...authority(), ...certificate() })],
])("calls are served through %s", async (_name, core, gateway) => {
  expect(await seen(core(), "https", gateway())).toEqual({ statuses: [200, 200], codes: new Set() });
});

test.each([
  ["an authority that Node does not know", tls, "https", cleartext, /SELF_SIGNED|UNABLE_TO_VERIFY/],
  [
    "another authority",
    tls,
    "https",
    () => ({ CORE_TLS_CA_FILE: file("other-ca.pem") }),
    /UNABLE_TO_VERIFY|SELF_SIGNED/,
  ],
  [
    "cleartext towards a core with TLS",
    tls,
    "http",
    cleartext,
    /^(ECONNRESET|ERR_HTTP2\w*|Unavailable|Internal|Canceled)$/,
  ],
  ["TLS towards a core without", cleartext, "https", authority, /^(ERR_SSL\w+|EPROTO|ECONNRESET)$/],
  [
    "no certificate for a core that asks for one",
    mutual,
    "https",
    authority,
    /^(ERR_SSL\w+|EPROTO|ECONNRESET|ERR_HTTP2\w*)$/,
  ],
] as const)("calls fail with 503 and a reason with %s", async (_name, core, scheme, gateway, code) => {
  const { statuses, codes } = await seen(core(), scheme, gateway());
  expect(statuses).toEqual([503, 503]);
  expect([...codes]).toEqual([expect.stringMatching(code)]);
});

test("calls fail with 503 and a reason if the core's certificate is for another name", async () => {
  const { statuses, codes } = await seen(tls(), "https", authority(), "localhost");
  expect(statuses).toEqual([503, 503]);
  expect([...codes]).toEqual(["ERR_TLS_CERT_ALTNAME_INVALID"]);
});

test("calls fail with 503 and a reason if the core does not exist", async () => {
  const app = await appOfTest();
  const gateway = await gatewayOfTest(app, { coreUrl: "http://127.0.0.1:1" });
  expect((await fetch(`${gateway.httpUrl}/readyz`)).status).toBe(503);
  const lines = gateway.logLines.map((line) => JSON.parse(line));
  expect(lines.filter(({ level }) => level === "error")).toMatchObject([{ err: { code: "ECONNREFUSED" } }]);
});

test.each([
  ["half a pair", "https", () => ({ CORE_TLS_CERT_FILE: file("client.pem") }), /CORE_TLS_KEY_FILE/],
  ["the other half", "https", () => ({ CORE_TLS_KEY_FILE: file("client.key") }), /CORE_TLS_CERT_FILE/],
  ["files for a core without TLS", "http", authority, /https/],
  ["a file that is not there", "https", () => ({ CORE_TLS_CA_FILE: file("nowhere.pem") }), /nowhere\.pem/],
])("a gateway does not start with %s", async (_name, scheme, environment, message) => {
  const app = await appOfTest();
  const coreUrl = `${scheme}://${app.grpcAddress}`;
  await expect(startTestGateway(app, { coreUrl, environment: environment() })).rejects.toThrow(message);
});
