// Norms of all partners through the whole service: what is told of them, taken part in by command, and said to people.

import { afterAll, describe, expect, test } from "vitest";
import { addNoise, computeNoiseVariance, unit } from "../../../src/products/values-bridge/norms/pool/draw.ts";
import { addCaller } from "../../support/app.ts";
import { addHostedPartner, type TestPartner } from "../../support/browser/hosted.ts";
import { Visitor } from "../../support/browser/visitor.ts";
import { appOfFile } from "../../support/of-file.ts";
import { pasOn } from "../../support/processes/program.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { attentive } from "../../support/values-bridge/attentive-people.ts";
import { seededBytes } from "../../support/values-bridge/seeded-bytes.ts";
import { bodyOf, withoutNulls } from "../cases/case.ts";
import { openPeople } from "./people.ts";

const app = await appOfFile({ NORMS_HOUR: "-1" });
const people = openPeople(app);
const as = await addCaller(app);
await people.complete(as.partnerId, "somebody", attentive);
// Ten thousand people, as many in each bin.
const even = Array.from({ length: 60 }, (_, place) => {
  const bins = place < 57 ? 26 : 20;
  return Array<number>(bins).fill(Math.round((unit * 10_000) / bins));
});
await app.database.connection.query("INSERT INTO norm_pool_releases SET ?", {
  assessment_id: 1,
  language: Buffer.from("und"),
  number: 3,
  quarter: 8108,
  released_at: new Date(Date.UTC(2027, 0, 1)),
  histograms: JSON.stringify(addNoise(even, seededBytes(4), computeNoiseVariance(even.length))),
});
afterAll(() => people.close());

test("pooled norms are those of the last release, also at the command line, and compare a person of a partner with few people", async () => {
  const transport = restTransport(app.httpUrl);
  const told = bodyOf(await transport.getNorms({ token: as.token }));
  const { release, reason } = told.pooled;
  expect(told.partner).toMatchObject({ norms: null, reason: "too_few" });
  expect([reason, release.values.length]).toEqual([null, 19]);
  expect(release).toMatchObject({ number: 3, sample: "convenience", released: "2027-01-01T00:00:00.000Z" });
  expect(Math.abs(release.n - 10_000)).toBeLessThan(60);
  const ideal = release.values[0]?.ideal;
  const { percentiles = [], halfWidths = [] } = ideal ?? {};
  expect([ideal?.from, ideal?.step, percentiles.length, halfWidths.length]).toEqual([-48, 4, 25, 25]);
  expect(Math.abs((percentiles[12] ?? 0) - 50)).toBeLessThanOrEqual(2 * (halfWidths[12] ?? 0));
  const { quality } = bodyOf(await transport.getLatestResults({ token: as.token }, "somebody", { quality: true }));
  const { norms } = quality;
  expect([norms.scope, norms.n, norms.provisional]).toEqual(["pooled", release.n, false]);
  expect(norms.values[0]?.ideal).toMatchObject({
    percentile: expect.any(Number),
    tScore: expect.any(Number),
    standardError: null,
  });
  const { stdout } = await pasOn(app.database, "norms", "show", "--partner", as.partnerId);
  expect(withoutNulls(JSON.parse(stdout))).toEqual(withoutNulls(told));
});

describe("pas partner norms", () => {
  const pas = async (...words: string[]) => {
    const { code, stdout, stderr } = await pasOn(app.database, "partner", "norms", ...words);
    return code === 0 ? JSON.parse(stdout) : stderr;
  };

  test("pas partner norms changes whether a partner takes part, shows it, and is recorded", async () => {
    const { partnerId } = await addCaller(app);
    expect(await pas(partnerId)).toEqual({ partnerId, pool: "off" });
    expect(await pas(partnerId, "--pool", "on")).toEqual({ partnerId, pool: "on" });
    expect(await pas(partnerId)).toEqual({ partnerId, pool: "on" });
    expect(await pas(partnerId, "--pool", "off")).toEqual({ partnerId, pool: "off" });
    const sql = "SELECT COUNT(*) AS records FROM audit_log WHERE action = 'norm_pool.update' AND outcome = 'ok'";
    const [rows] = await app.database.connection.query(sql);
    expect(rows).toEqual([{ records: 2 }]);
  });

  test("pas partner norms refuses an unknown partner, and unknown words", async () => {
    expect(await pas("0193527a-8d2c-7c31-9f0e-5b1f6a2d4c11")).toContain("there is no such partner");
    expect(await pas("0193527a-8d2c-7c31-9f0e-5b1f6a2d4c11", "--pool", "maybe")).toContain("on, off");
  });

  test("a hosted start page mentions pooled norms to people who may count for them, and to no others", async () => {
    const partner: TestPartner = await addHostedPartner(app);
    const pageOf = async (hostedUrl: string) => {
      const visitor = new Visitor(app.httpUrl);
      return (await visitor.get(await visitor.open(hostedUrl))).text;
    };
    const startOf = async (changes: Record<string, unknown>) =>
      pageOf((await partner.createHosted({ locale: "en", ...changes })).hostedUrl);
    const link = 'href="/docs/comparison-values"';
    const known = { subject: { externalId: "a person" } };
    const before = await partner.createHosted({ locale: "en", ...known });
    expect(await pageOf(before.hostedUrl)).not.toContain(link);
    expect(await pas(partner.partnerId, "--pool", "on")).toMatchObject({ pool: "on" });
    expect(await startOf(known)).toContain(link);
    expect(await pageOf(before.hostedUrl)).not.toContain(link);
    expect(await startOf({ ...known, locale: "de" })).toContain("Vergleichswerte");
    expect(await startOf({ subject: undefined })).not.toContain(link);
    await pas(partner.partnerId, "--pool", "off");
    expect(await startOf(known)).not.toContain(link);
    expect((await fetch(`${app.httpUrl}/docs/comparison-values`)).status).toBe(200);
  });
});
