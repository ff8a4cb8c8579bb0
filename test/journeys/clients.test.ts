// Whole assessments by each client that is released, as its package is made.

import { existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import type { DescService } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { expect, onTestFinished, test } from "vitest";
import { addTwinCaller } from "../support/app.ts";
import type { Credentials } from "../support/databases/partners.ts";
import { inTurns } from "../support/extent.ts";
import { appOfFile } from "../support/of-file.ts";
import { pairwise } from "../support/pairwise.ts";
import { clientTransport } from "../support/transports/rpc-transport.ts";
import type { Transport } from "../support/transports/transports.ts";
import { dimensions } from "./dimensions.ts";
import { answeredBy, walk } from "./walk.ts";

const app = await appOfFile();
const { credentials } = await addTwinCaller(app, await app.addPartner());

interface TypeScriptClient {
  createPartnerClient(
    options: Credentials & { baseUrl: string; timeoutMs: number },
  ): Record<string, Client<DescService>>;
}

/** Transports by the folder of their client. */
const clients: Readonly<Record<string, () => Promise<Transport>>> = {
  async typescript() {
    const made: TypeScriptClient = await import(resolve("clients/typescript/dist/src/client.js"));
    return clientTransport(made.createPartnerClient({ ...credentials, baseUrl: app.httpUrl, timeoutMs: 250_000 }));
  },
};

/** Other personas are other answers, not other calls. */
const few = { ...dimensions, persona: dimensions.persona.slice(0, 1), answeredBy };

test("each client takes assessments here, or by its own tests", () => {
  const byOwnTests = { python: "test/deploy/clients/python-client.test.ts" };
  for (const file of Object.values(byOwnTests)) expect(existsSync(file)).toBe(true);
  const names = Object.keys({ ...clients, ...byOwnTests });
  expect(names.toSorted()).toEqual(readdirSync("clients").toSorted());
});

test.each(Object.keys(clients))(
  "the client for %s takes assessments of every form, mode and language to every document",
  async (name) => {
    const transport = await clients[name]?.();
    if (transport === undefined) throw new Error(`no client ${name}`);
    onTestFinished(() => transport.close());
    for (const journey of inTurns(pairwise(few), 3, 0)) {
      await walk(journey, transport, { token: undefined }, app.httpUrl).catch((cause: unknown) => {
        throw new Error(JSON.stringify(journey), { cause });
      });
    }
  },
);
