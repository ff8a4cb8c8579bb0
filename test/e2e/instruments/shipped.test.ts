// A release with a new version of the instrument: it reaches those who use the one before, and nobody else.
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { prepareDatabase } from "../../../src/cli/migrate.ts";
import type { AssessmentStore } from "../../../src/domain/assessments/assessment-port.ts";
import { publishAssessment } from "../../../src/domain/assessments/catalogue.ts";
import { publishShipped } from "../../../src/domain/assessments/shipped.ts";
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import { openTestStores, type TestStores } from "../../support/databases/stores.ts";
import { testDomain } from "../../support/domain.ts";
import { longForm, versionOne, versionTwo } from "../../support/values-bridge/short-form.ts";

let database: TestStores;
beforeEach(async () => {
  database = await openTestStores();
});
afterEach(() => database.close());

const deadline = () => ({ signal: AbortSignal.timeout(30_000), at: performance.now() + 30_000 });
const domainOver = (stores: TestStores) => testDomain(stores);
const own = (): Definition => ({ ...versionOne(), title: "Values, in the words of our house" });

/** What `pas migrate` does, and what it says to people. */
async function upgrade() {
  const said: string[] = [];
  const { instrument } = await prepareDatabase({ say: (line) => said.push(line) }, database.address);
  return { instrument, said };
}

async function publish(definition: Definition): Promise<void> {
  await publishAssessment(domainOver(database), JSON.stringify(definition), deadline());
}

async function published(): Promise<[version: number, definition: Definition][]> {
  const versions = await database.assessments.listAssessments("values-bridge", deadline().signal);
  return versions.map(({ version, definition }) => [version, definition]);
}

test("where there is no instrument, the one of this release is published, once", async () => {
  expect(await upgrade()).toEqual({ instrument: "published", said: [] });
  expect(await upgrade()).toEqual({ instrument: "known", said: [] });
  expect(await published()).toEqual([[3, longForm()]]);
});

test("a new installation and every upgraded one call an instrument by the same number", async () => {
  const found: unknown[] = [];
  for (const before of [[], [versionOne()], [versionTwo()], [versionOne(), versionTwo()]]) {
    const stores = await openTestStores();
    onTestFinished(() => stores.close());
    const domain = testDomain(stores);
    for (const definition of before) await publishAssessment(domain, JSON.stringify(definition), deadline());
    await prepareDatabase({ say: () => undefined }, stores.address);
    const versions = await stores.assessments.listAssessments("values-bridge", deadline().signal);
    const numbers = versions.map(({ version, definition }) => [
      version,
      definition.scale.labels[3],
      definition.values[0],
    ]);
    expect(numbers[0]).toEqual([3, longForm().scale.labels[3], longForm().values[0]]);
    found.push(versions.map(({ version }) => version));
  }
  expect(found).toEqual([[3], [3, 1], [3, 2], [3, 2, 1]]);
});

test("an instrument that an earlier build called version 1 keeps that number, and the next one has its own", async () => {
  await database.assessments.insertAssessment(
    { id: 1, product: "values-bridge", version: 1, definition: versionTwo(), publishedAt: new Date(0) },
    deadline().signal,
  );
  expect((await upgrade()).instrument).toBe("published");
  expect(await published()).toEqual([
    [3, longForm()],
    [1, versionTwo()],
  ]);
});

test("a shipped instrument that is published by hand has its number too, unless that one is past", async () => {
  await publish(own());
  await publish(longForm());
  await publish(own());
  await publish(longForm());
  expect((await published()).map(([version]) => version)).toEqual([5, 4, 3, 1]);
});

test("after the one of the release before it follows as a further version, and that one stays for its sessions", async () => {
  await publish(versionOne());
  expect(await upgrade()).toEqual({ instrument: "published", said: [] });
  expect(await upgrade()).toEqual({ instrument: "known", said: [] });
  expect(await published()).toEqual([
    [3, longForm()],
    [1, versionOne()],
  ]);
});

describe("an instrument of somebody's own stays the published one,", () => {
  test("and people hear of it", async () => {
    await publish(versionOne());
    await publish(own());
    const said = ["An instrument of your own is published, so the built-in one is not."];
    expect(await upgrade()).toEqual({ instrument: "kept", said });
    expect(await published()).toEqual([
      [2, own()],
      [1, versionOne()],
    ]);
  });

  test("although it differs from the shipped one in a single letter", async () => {
    const { title, ...rest } = versionOne();
    await publish({ ...rest, title: `${title}.` });
    expect((await upgrade()).instrument).toBe("kept");
  });

  test("and so does one that was published while the upgrade looked", async () => {
    await publish(versionOne());
    let isFirst = true;
    const assessments: AssessmentStore = {
      ...database.assessments,
      async insertAssessment(assessment, signal) {
        if (isFirst) {
          isFirst = false;
          await publish(own());
        }
        return database.assessments.insertAssessment(assessment, signal);
      },
    };
    const domain = testDomain({ ...database, assessments });
    const shipped = { current: longForm(), earlier: [versionOne(), versionTwo()] };
    expect(await publishShipped(domain, shipped, deadline())).toBe("kept");
    expect((await published()).map(([version, { title }]) => [version, title])).toEqual([
      [2, own().title],
      [1, versionOne().title],
    ]);
  });
});

test("who goes back to the version before is left alone: what was published once is not published again", async () => {
  await publish(versionOne());
  await upgrade();
  await publish(versionOne());
  expect(await upgrade()).toEqual({ instrument: "known", said: [] });
  expect((await published()).map(([version]) => version)).toEqual([4, 3, 1]);
});

test("the order of members in what is stored makes no difference", async () => {
  await publish(Object.fromEntries(Object.entries(versionOne()).toReversed()) as unknown as Definition);
  expect((await upgrade()).instrument).toBe("published");
});

test("several upgrades at once publish one version", async () => {
  await publish(versionOne());
  const outcomes = await Promise.all([1, 2, 3, 4].map(upgrade));
  expect(outcomes.map(({ instrument }) => instrument).toSorted()).toEqual(["known", "known", "known", "published"]);
  expect((await published()).map(([version]) => version)).toEqual([3, 1]);
});
