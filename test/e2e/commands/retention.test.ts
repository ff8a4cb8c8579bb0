// pas retention: policies of partners.
import { expect, test } from "vitest";
import { addCaller } from "../../support/app.ts";
import { appOfTest } from "../../support/of-test.ts";
import { printedBy } from "../../support/processes/command.ts";
import { pasOn } from "../../support/processes/program.ts";

test("pas retention shows, changes and removes policies", async () => {
  const app = await appOfTest();
  const { partnerId } = await addCaller(app);
  const parts = { deleteAnswersAfterDays: null, deleteResultsAfterDays: null };
  const ofPartner = { partnerId, mode: "headless", expiresAfterDays: null, deleteCompletedAfterDays: null, ...parts };
  const set = (...days: string[]) => pasOn(app.database, "retention", "set", partnerId, "--mode", "headless", ...days);
  expect(JSON.parse((await set("--open", "2")).stdout)).toEqual({ ...ofPartner, deleteOpenAfterDays: 2 });
  const policies = printedBy(await pasOn(app.database, "retention", "show", partnerId));
  expect(policies).toMatchObject([{ mode: "headless", deleteOpenAfterDays: 2 }, { mode: "hosted" }]);
  expect(JSON.parse((await set("--open", "never")).stdout)).toEqual({ ...ofPartner, deleteOpenAfterDays: null });
  const ofParts = await set("--answers", "3", "--results", "9");
  expect(JSON.parse(ofParts.stdout)).toMatchObject({ deleteAnswersAfterDays: 3, deleteResultsAfterDays: 9 });
  expect(await set("--open", "soon")).toMatchObject({ code: 2, stdout: "" });
});
