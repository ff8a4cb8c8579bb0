// The port that services call: every format with its type, name and tag, and nothing rendered twice.
import { hash } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { toCaller } from "../../src/kernel/calls/core.ts";
import {
  type Paper,
  papers,
  pictureNames,
  type RenderRequest,
  reportFormats,
  reportPapers,
} from "../../src/products/values-bridge/report/report-renderer.ts";
import { createTeamReportModel } from "../../src/products/values-bridge/report/team/team-model.ts";
import { createRendering, type RenderingTask } from "../../src/products/values-bridge/report-rendering/render-task.ts";
import { createReportRenderer } from "../../src/products/values-bridge/report-rendering/renderer.ts";
import {
  createRenderingThread,
  type RenderingThread,
} from "../../src/products/values-bridge/report-rendering/thread.ts";
import { neutralBranding, reportWith } from "../support/reports/reports.ts";
import { teamInput } from "../support/reports/teams.ts";
import { longForm } from "../support/values-bridge/short-form.ts";

const renderer = createReportRenderer(createRenderingThread());
afterAll(() => renderer.close());

const report = reportWith({ 1: [24, 12], 2: [10, 20] });
const request: RenderRequest = { model: report, format: "json", branding: neutralBranding };

test("JSON is the model, every number of it", async () => {
  const { body } = await renderer.renderReport(request);
  expect(JSON.parse(Buffer.from(body).toString())).toEqual(report);
});

test("a file without a session has no number in its name", async () => {
  const offline = { ...report, sessionId: null };
  expect((await renderer.renderReport({ ...request, model: offline, format: "html" })).fileName).toBe("values.html");
});

describe("entity tags", () => {
  const branded = { displayName: "Acme", accentColor: "#7a1fa2", logoUrl: null };
  const variants: RenderRequest[] = [
    ...reportFormats.map((format) => ({ ...request, format })),
    ...reportFormats.filter((format) => format !== "json").map((format) => ({ ...request, format, branding: branded })),
    ...(["svg", "png"] as const).map((format) => ({ ...request, format, picture: "gaps" as const })),
    { ...request, format: "pdf", paper: "letter" },
    { ...request, model: reportWith({ 1: [24, 12], 2: [10, 20] }, { locales: ["de"] }) },
    { ...request, model: reportWith({ 1: [24, 12], 2: [10, 19] }) },
    { ...request, model: { ...report, revision: report.revision + 1 } },
  ];

  test("the entity tag differs for everything that changes the bytes", () => {
    const tags = variants.map((each) => renderer.describe(each).entityTag);
    expect(new Set(tags).size).toBe(variants.length);
  });

  test("the entity tag is the same for what does not change the bytes", () => {
    const same = (one: Partial<RenderRequest>, other: Partial<RenderRequest>) =>
      expect(renderer.describe({ ...request, ...one }).entityTag).toBe(
        renderer.describe({ ...request, ...other }).entityTag,
      );
    same({}, { branding: branded, picture: "gaps", paper: "letter" });
    same({ format: "pdf" }, { format: "pdf", picture: "gaps", paper: "a4" });
  });

  const isForPosters = (paper: Paper) => reportPapers.every((each) => each !== paper);
  const ofTeam = createTeamReportModel(teamInput(longForm()));

  describe.each([
    ["a person", report],
    ["a team", ofTeam],
  ] as const)("the report on %s", (_who, model) => {
    const tasks = reportFormats.flatMap((format) =>
      [...pictureNames, "card" as const].flatMap((picture) =>
        papers.map((paper) => ({ ...request, model, format, picture, paper })),
      ),
    );
    const isRefused = ({ format, picture, paper }: (typeof tasks)[number]) =>
      !["json", "html"].includes(format) && isForPosters(paper) && (picture !== "poster" || model === ofTeam);

    test("a paper that only posters have is refused for all else, whatever is cached", async () => {
      const { takeSlot, describe: about, renderReport } = createReportRenderer(countingThread());
      const { signal } = new AbortController();
      for (const each of tasks.filter(isRefused)) {
        await renderReport({ ...each, paper: "a4" });
        const refusal = { code: "not_acceptable" };
        expect(() => about(each)).toThrow(expect.objectContaining(refusal));
        expect(() => takeSlot(each, toCaller("p", "c"), signal)).toThrow(expect.objectContaining(refusal));
        await expect(renderReport(each)).rejects.toMatchObject(refusal);
      }
    });

    test("two requests have the same tag if and only if they have the same bytes", async () => {
      const thread = countingThread();
      const bytes = new Map<string, string>();
      for (const each of tasks.filter((one) => !isRefused(one))) {
        // A renderer of its own, whose cache is empty.
        const { entityTag, body } = await createReportRenderer(thread).renderReport(each);
        const digest = hash("sha256", body);
        expect(bytes.get(entityTag) ?? digest).toBe(digest);
        bytes.set(entityTag, digest);
      }
      expect(new Set(bytes.values()).size).toBe(bytes.size);
    });
  });
});

/** A thread that counts, and renders here. */
function countingThread(): RenderingThread & { readonly tasks: RenderingTask[] } {
  const render = createRendering();
  const tasks: RenderingTask[] = [];
  return {
    tasks,
    close: async () => undefined,
    render: (task) => {
      tasks.push(task);
      return render(task);
    },
  };
}

test("a report is rendered once for all who ask, at once or later", async () => {
  const thread = countingThread();
  const { renderReport } = createReportRenderer(thread);
  const pdf = { ...request, format: "pdf" as const };
  const all = await Promise.all([renderReport(pdf), renderReport(pdf), renderReport({ ...pdf, paper: "letter" })]);
  expect(thread.tasks).toHaveLength(2);
  expect(all[1]?.body).toBe(all[0]?.body);
  expect((await renderReport(pdf)).body).toBe(all[0]?.body);
  expect(thread.tasks).toHaveLength(2);
});

test("rendered reports are cached up to 32 MB, the least recently used go first", async () => {
  const size = 5 * 1024 * 1024;
  const tasks: string[] = [];
  const thread: RenderingThread = {
    close: async () => undefined,
    render: async ({ model }) => {
      tasks.push("sessionId" in model ? (model.sessionId ?? "") : "");
      return new Uint8Array(size);
    },
  };
  const { renderReport } = createReportRenderer(thread);
  const ask = (sessionId: string) => renderReport({ ...request, format: "pdf", model: { ...report, sessionId } });
  for (const id of ["1", "2", "3", "4", "5", "6", "1", "7", "1", "2"]) await ask(id);
  expect(tasks.join("")).toBe("12345672");
});

test("a failed rendering is tried again", async () => {
  const thread = countingThread();
  const { renderReport } = createReportRenderer({
    ...thread,
    render: (task) =>
      thread.tasks.length === 0
        ? thread.render(task).then(() => Promise.reject(new Error("once")))
        : thread.render(task),
  });
  const pdf = { ...request, format: "pdf" as const };
  await expect(renderReport(pdf)).rejects.toThrow("once");
  expect((await renderReport(pdf)).body.length).toBeGreaterThan(20_000);
});

test.each(pictureNames)("the picture %s is the same from another thread", async (picture) => {
  const own = await renderer.renderReport({ ...request, format: "png", picture });
  const here = await createReportRenderer(countingThread()).renderReport({ ...request, format: "png", picture });
  expect(Buffer.compare(own.body, here.body)).toBe(0);
});

test.each([
  ...reportPapers.map((paper) => [paper, {}] as const),
  ...papers.map((paper) => [paper, { picture: "poster" }] as const),
])("the PDF on %s is the same from another thread: %o", async (paper, part) => {
  const order = { ...request, model: reportWith({ 3: [24, 12] }), format: "pdf", paper, ...part } as const;
  const own = await renderer.renderReport(order);
  const here = await createReportRenderer(countingThread()).renderReport(order);
  expect(Buffer.compare(own.body, here.body)).toBe(0);
});
