// Norms through the whole service: they are told over every transport, in reports and at the command line.

import { afterAll, describe, expect, test } from "vitest";
import { addCaller } from "../../support/app.ts";
import { appOfFile } from "../../support/of-file.ts";
import { pasOn } from "../../support/processes/program.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { connectTransport, grpcTransport } from "../../support/transports/rpc-transport.ts";
import { attentiveAnswers } from "../../support/values-bridge/attentive-people.ts";
import { bodyOf } from "../cases/case.ts";
import { openPeople } from "./people.ts";

const dayMs = 24 * 60 * 60 * 1000;

const app = await appOfFile({ NORMS_HOUR: "-1" });
const people = openPeople(app);
afterAll(() => people.close());
const caller = await addCaller(app);
const complete = (externalId: string, answers: readonly number[], ms: number) =>
  people.complete(caller.partnerId, externalId, answers, { ms });
for (let seed = 0; seed < 120; seed += 1) await complete(`person ${seed}`, attentiveAnswers(seed), seed);
const sessionId = await complete("person 0", attentiveAnswers(1000), 30 * dayMs);
await people.compute();
const person = { externalId: "person 0", sessionId };

const as = { token: caller.token };

describe.each([
  ["REST", () => restTransport(app.httpUrl)],
  ["gRPC", () => grpcTransport(app.grpcAddress)],
  ["Connect", () => connectTransport(app.httpUrl, true)],
] as const)("over %s", (_, open) => {
  const transport = open();
  afterAll(() => transport.close());

  test("norms of the partner's own people are returned, and how a person compares", async () => {
    const { partner, pooled } = bodyOf(await transport.getNorms(as));
    expect(partner).toMatchObject({ norms: { n: 120, provisional: true }, reason: null, retestReason: "too_few" });
    expect(pooled).toEqual({ release: null, reason: "waiting" });
    const ofShort = bodyOf(await transport.getNorms(as, { form: "short" }));
    expect(ofShort).toMatchObject({ form: "short", partner: { norms: null, reason: "too_few" } });
    const { values, sample } = partner.norms as {
      sample: unknown;
      values: { ideal: { distribution: { from: number; step: number; percentiles: number[] } } }[];
    };
    expect(sample).toEqual({ kind: "convenience", firstMonth: "2026-11", lastMonth: "2026-11", hostedShare: 0 });
    expect(values).toHaveLength(19);
    expect(values[0]?.ideal.distribution.percentiles).toHaveLength(101);
    const { quality } = bodyOf(await transport.getSessionResults(as, person.sessionId, { quality: true }));
    const { norms, error } = quality as {
      error: { values: { ideal: { centred: number } }[] };
      norms: { values: { ideal: { percentile: number } }[] };
    };
    const source = { n: 120, provisional: true, language: "und", translationState: "draft" };
    expect(norms).toMatchObject({ ...source, scope: "partner" });
    const [own, standing] = [error.values[0]?.ideal, norms.values[0]?.ideal];
    const { distribution } = values[0]?.ideal ?? {};
    const bin = Math.floor(((own?.centred ?? 0) - (distribution?.from ?? 0)) / (distribution?.step ?? 0));
    expect(standing?.percentile).toBeGreaterThanOrEqual(Math.round(distribution?.percentiles[bin] ?? 100));
    expect(standing?.percentile).toBeLessThanOrEqual(Math.round(distribution?.percentiles[bin + 1] ?? 0));
  });
});

test("pas norms compute publishes norms of completed sessions at once", async () => {
  const { partnerId, token } = await addCaller(app);
  for (let seed = 0; seed < 30; seed += 1) await people.complete(partnerId, `person ${seed}`, attentiveAnswers(seed));
  const { code, stdout } = await pasOn(app.database, "norms", "compute");
  expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 0, partners: 1, sessions: 30 });
  const rest = restTransport(app.httpUrl);
  const { partner } = bodyOf(await rest.getNorms({ token }));
  rest.close();
  expect(partner).toMatchObject({ norms: { n: 30, provisional: true }, reason: null });
});

test("a report compares with the partner's people once the partner asks for it, where the language is known", async () => {
  const { partnerId, token } = await addCaller(app);
  const answer = (seed: number, shownLanguage?: string) =>
    people.complete(
      partnerId,
      `person ${seed}`,
      attentiveAnswers(seed),
      shownLanguage === undefined ? {} : { shownLanguage },
    );
  for (let seed = 1; seed < 30; seed += 1) await answer(seed, "en");
  const [known, unknown] = [await answer(0, "en"), await answer(30)];
  await people.compute();
  const rest = restTransport(app.httpUrl);
  const othersOf = async (id: string) => {
    const { body } = bodyOf(await rest.renderReport({ token }, { sessionId: id }, { format: "json" }));
    return JSON.parse(body.toString()).others;
  };
  expect(await othersOf(known)).toBeNull();
  await pasOn(app.database, "partner", "brand", partnerId, "--comparison", "others");
  const { note, rest: others, entries } = await othersOf(known);
  expect([note.includes("30 people"), others === ""]).toEqual([true, false]);
  const { quality } = bodyOf(await rest.getSessionResults({ token }, known, { quality: true })) as {
    quality: { norms: { values: { ideal: { percentile: number; percentileRange: number[] } }[] } };
  };
  const beyond = quality.norms.values
    .map(({ ideal: { percentile, percentileRange } }) => [percentile, ...percentileRange] as const)
    .filter(([, lowest = 0, highest = 100]) => lowest > 75 || highest < 25)
    .toSorted(([one], [other]) => Math.abs(other - 50) - Math.abs(one - 50));
  expect(entries.map((each: Record<string, number>) => [each.place, each.lowest, each.highest])).toEqual(beyond);
  expect(await othersOf(unknown)).toBeNull();
  rest.close();
});
