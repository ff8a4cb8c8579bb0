// What requests say of their body means the same at every transport of the HTTP port.

import { expect, test } from "vitest";
import { addCaller } from "../../support/app.ts";
import { appOfFile } from "../../support/of-file.ts";
import { enveloped } from "../../support/worst/send.ts";

const app = await appOfFile();
const { token, credentials } = await addCaller(app);

async function post(path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) {
  const response = await fetch(app.httpUrl + path, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, ...headers },
    body,
  });
  await response.arrayBuffer();
  return response;
}

const createSession = "/assessment.v1.SessionService/CreateSession";
const creation = '{"product": "values-bridge"}';

/** Creates a session over each transport. Gives what tells whether it did. */
async function createByEach(parameters: string, headers: Record<string, string> = {}) {
  const type = `application/json${parameters}`;
  const webType = `application/grpc-web+json${parameters}`;
  const [rest, connect, web] = [
    await post("/v1/values-bridge/sessions", "{}", { "content-type": type, ...headers }),
    await post(createSession, creation, { "content-type": type, ...headers }),
    await post(createSession, new Uint8Array(enveloped(Buffer.from(creation))), {
      "content-type": webType,
      ...headers,
    }),
  ];
  return [rest.status, connect.status, web.status, web.headers.get("grpc-status")];
}

test.each([
  "",
  "; charset=utf-8",
  "; charset=utf8",
  ";charset=UTF8",
  '; charset="utf-8"',
  '; charset="UTF8"',
  " ; Charset=Utf-8",
  ";",
  "; profile=a",
])("JSON with the parameters %j is read as UTF-8 at every transport", async (parameters) => {
  expect(await createByEach(parameters)).toEqual([201, 200, 200, null]);
});

test.each(["; charset=latin1", "; charset=utf-16", ", text/plain"])(
  "JSON with the parameters %j is refused at every transport",
  async (parameters) => {
    expect((await createByEach(parameters)).slice(0, 3)).toEqual([415, 415, 415]);
  },
);

test.each(["identity", "Identity"])("the coding %s is accepted at every transport", async (coding) => {
  const headers = { "content-encoding": coding };
  expect(await createByEach("", headers)).toEqual([201, 200, 200, null]);
  const basic = Buffer.from(`${credentials.clientId}:${credentials.clientSecret}`).toString("base64");
  const response = await post("/oauth/token", "grant_type=client_credentials", {
    authorization: `Basic ${basic}`,
    "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
    ...headers,
  });
  expect(response.status).toBe(200);
});
