// What makes a process not ready, and what an operator reads of it.

import { randomBytes } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSecret } from "../../../src/domain/identity/secrets.ts";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../../src/gen/health/v1/health_pb.ts";
import type { TestDatabase } from "../../support/databases/servers/server.ts";
import { databaseOfTest, processOfTest } from "../../support/of-test.ts";
import { GrpcClient } from "../../support/transports/grpc-client.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { connectTransport, grpcTransport } from "../../support/transports/rpc-transport.ts";

describe("a database that refuses, or is away", () => {
  const password = "the-right-one";

  /** A user of the database, and the URL of that user with this password. */
  async function newUser({ connection, url }: TestDatabase, given: string, grant = true): Promise<string> {
    const user = `u${randomBytes(6).toString("hex")}`;
    await connection.query(`CREATE USER ${user}@'%' IDENTIFIED BY '${password}'`);
    onTestFinished(async () => {
      await connection.query(`DROP USER ${user}@'%'`);
    });
    const name = new URL(url).pathname.slice(1);
    if (grant) await connection.query(`GRANT ALL ON ${name}.* TO ${user}@'%'`);
    return Object.assign(new URL(url), { username: user, password: given }).href;
  }

  test.each([
    [
      "the password",
      async (database: TestDatabase) => newUser(database, "a-wrong-one"),
      /^The database refuses the user, its password, or that it comes without TLS; check DATABASE_URL\.$/,
      /^ER_ACCESS_DENIED/,
      "error",
    ],
    [
      "the user the use of that database",
      async (database: TestDatabase) => newUser(database, password, false),
      /^The database user may not use the database that DATABASE_URL names\.$/,
      /^ER_DBACCESS_DENIED_ERROR$/,
      "error",
    ],
    [
      "a database that is not there",
      async ({ url }: TestDatabase) => Object.assign(new URL(url), { pathname: "/pas_not_there" }).href,
      /^The server has no database of the name in DATABASE_URL\.$/,
      /^ER_BAD_DB_ERROR$/,
      "error",
    ],
    [
      "a server that is not there",
      async () => "mysql://nobody@127.0.0.1:1/nothing",
      /^The database cannot be reached\.$/,
      /^ECONNREFUSED$/,
      "warn",
    ],
  ])(
    "%s: readiness, health and log say so, callers over every transport hear when to come back, and nobody hears the password",
    async (_, urlFor, fault, code, level) => {
      const url = await urlFor(await databaseOfTest());
      const { httpUrl, grpcAddress, logLines } = await processOfTest({ url });
      const readiness = await fetch(`${httpUrl}/readyz`);
      expect([readiness.status, readiness.headers.get("retry-after")]).toEqual([503, "1"]);
      const { detail } = (await readiness.json()) as { detail: string };
      expect(detail).toMatch(fault);
      expect((await fetch(`${httpUrl}/livez`)).status).toBe(200);
      const client = new GrpcClient(grpcAddress);
      onTestFinished(() => client.close());
      expect((await client.unary(Health.method.check, {})).status).toBe(Status.NOT_SERVING);
      const token = createSecret("accessToken", randomBytes);
      for (const transport of [restTransport(httpUrl), grpcTransport(grpcAddress), connectTransport(httpUrl, true)]) {
        const outcome = await transport.getPublishedAssessment({ token });
        expect(outcome).toMatchObject({ ok: false, code: "unavailable", retryAfterSeconds: 1 });
        transport.close();
      }
      const bindLine = logLines.map((text) => JSON.parse(text)).find(({ host }) => host !== undefined);
      const { hostname, port, searchParams } = new URL(url);
      const socketPath = searchParams.get("socketPath");
      expect(bindLine).toMatchObject({
        level,
        msg: expect.stringMatching(fault),
        code: expect.stringMatching(code),
      });
      expect([bindLine?.host, bindLine?.port]).toEqual(
        socketPath === null ? [hostname, Number(port)] : [socketPath, undefined],
      );
      const texts = logLines.join("") + detail;
      for (const secret of ["a-wrong-one", password]) expect(texts).not.toContain(secret);
    },
  );
});
