// One assessment from its creation to its report, over any transport, by what the interface says alone.
import { expect } from "vitest";
import { reportPapers } from "../../src/products/values-bridge/report/report-renderer.ts";
import {
  answer,
  bodyOf,
  expectRefused,
  reportFormats,
  uniqueId,
  untilServed,
  withoutNulls,
} from "../e2e/cases/case.ts";
import { Visitor } from "../support/browser/visitor.ts";
import { readPdf } from "../support/reports/pdf.ts";
import type { As, AssessmentBody, ResultsBody, Transport } from "../support/transports/transports.ts";
import { exactResults } from "../support/values-bridge/exact-results.ts";
import { ratingsOf } from "./dimensions.ts";

export interface Journey {
  readonly form: string;
  readonly mode: string;
  readonly access: string;
  readonly language: string;
  readonly persona: string;
  /** Whether the sandbox records the answers of the persona, or whoever answers. */
  readonly answeredBy: string;
  readonly format: string;
  readonly picture: string;
  readonly paper: string;
}

export const answeredBy = ["the sandbox", "hand"] as const;

const redirectUrl = "https://partner.example/done";

/** Walks it. @param as a client of a test twin @param origin of the hosted pages */
export async function walk(journey: Journey, transport: Transport, as: As, origin: string): Promise<void> {
  const { form, mode, access: personAccess, language, persona } = journey;
  const ratings = ratingsOf(form, persona);
  const isHosted = mode === "hosted";
  const created = bodyOf(
    await transport.createSession(as, {
      ...{ form, mode, locale: language, subject: { externalId: uniqueId("journey") } },
      ...(isHosted && { redirectUrl, personAccess }),
    }),
  );
  const { sessionId } = created;
  const assessment =
    created.assessment ?? bodyOf(await transport.getPublishedAssessment(as, { form, locale: language }));
  expect([created.mode, created.form, assessment.form, assessment.language]).toEqual([mode, form, form, language]);
  const ratingOf = new Map(assessment.questions.map(({ id, position }) => [id, ratings[position - 1] ?? null]));
  expect(ratingOf.size).toBe(ratings.length);
  const answers = [...ratingOf].flatMap(([id, rating]) => (rating === null ? [] : [answer(id, rating)]));

  const isByHand = journey.answeredBy === "hand";
  if (!isByHand) {
    expect(bodyOf(await transport.autofillSession(as, sessionId, { persona })).recorded).toBe(answers.length);
  } else if (!isHosted) {
    expect(bodyOf(await transport.recordAnswers(as, sessionId, { answers })).recorded).toBe(answers.length);
  }
  const visitor = new Visitor(origin);
  if (isHosted) {
    const start = await visitor.open(created.hostedUrl ?? "");
    if (isByHand) await answerOnPages(visitor, start, language, ratingOf);
    const finished = await visitor.submit(`${start}/questions/1`, {}, `${start}/finish`);
    const isComplete = answers.length === ratings.length;
    const next = isComplete ? (personAccess === "none" ? redirectUrl : start) : `${start}/review`;
    expect([finished.status, finished.headers.get("location")?.split("?")[0]]).toEqual([303, next]);
  }
  const completion = bodyOf(await transport.completeSession(as, sessionId));
  expect(completion.status).toBe("completed");
  expectExact(completion.results, assessment, ratings);
  expectExact(bodyOf(await transport.getSessionResults(as, sessionId)).results, assessment, ratings);
  await openReport(journey, transport, as, sessionId);
  if (isHosted) await openOwnReport(journey, visitor, sessionId);
}

/** Fills in the form of each page, without script, as far as there are answers. */
async function answerOnPages(
  visitor: Visitor,
  start: string,
  language: string,
  ratingOf: ReadonlyMap<number, number | null>,
): Promise<void> {
  const questionIds = new Set<number>();
  for (let page = `${start}/questions/1`; page !== `${start}/review`; ) {
    const { text } = await visitor.get(page);
    expect(text).toContain(`<html lang="${language}"`);
    const ids = new Set([...text.matchAll(/<input type="radio"[^>]* name="q-(\d+)"/g)].map(([, id]) => Number(id)));
    const fields = [...ids].flatMap((id) => {
      const rating = ratingOf.get(id) ?? null;
      return rating === null ? [] : [[`q-${id}`, String(rating)]];
    });
    for (const id of ids) questionIds.add(id);
    const { status, headers } = await visitor.submit(page, { ...Object.fromEntries(fields), go: "skip" });
    expect(status).toBe(303);
    page = headers.get("location") ?? "";
  }
  expect([...questionIds].sort()).toEqual([...ratingOf.keys()].sort());
}

/** Expects what rational arithmetic makes of the answers and of what the interface says of the questions. */
export function expectExact(
  results: ResultsBody | null | undefined,
  { questions }: AssessmentBody,
  ratings: readonly (number | null)[],
): void {
  const scored = questions.map(({ id, likertConfig, valuesBridgeConfig }) => {
    if (likertConfig === null || valuesBridgeConfig === null) throw new Error(`question ${id} cannot be scored`);
    const lifeContext = valuesBridgeConfig.lifeContext as "ideal" | "current";
    return { id, ...likertConfig, ...valuesBridgeConfig, lifeContext };
  });
  const answers = questions.map(({ position }) => ratings[position - 1] ?? null);
  expect(withoutNulls(results)).toEqual(withoutNulls(exactResults({ questions: scored, answers })));
}

/** The report as the partner reads it, in the language of the session. */
async function openReport({ language, ...wanted }: Journey, transport: Transport, as: As, sessionId: string) {
  const { format, picture, paper } = wanted;
  const report = bodyOf(await transport.getReport(as, { sessionId }));
  expect([report.language, report.values.length]).toEqual([language, 19]);
  const outcome = await untilServed(() => transport.renderReport(as, { sessionId }, { format, picture, paper }));
  const isDrawn = ["svg", "png", "pdf"].includes(format);
  const isPoster = picture === "poster" && isDrawn;
  const isOnPosterPaper = !reportPapers.some((each) => each === paper);
  if (isDrawn && !isPoster && isOnPosterPaper) return expectRefused(outcome, "not_acceptable");
  if (isPoster && (report.mostWanted?.entries ?? []).length === 0) return expectRefused(outcome, "not_acceptable");
  const { body, mediaType, language: own } = bodyOf(outcome);
  const [, type, start = /^$/] = reportFormats.find(([name]) => name === format) ?? [];
  expect([mediaType, own]).toEqual([type, language]);
  expect(body.toString("latin1")).toMatch(start);
  if (format === "html") expect(body.toString()).toContain(`<html lang="${language}"`);
  if (format === "pdf") expect((await readPdf(body)).xmp).toContain(`<rdf:li>${language}</rdf:li>`);
}

/** The report as the person opens it from the last page, if the partner wants that. */
async function openOwnReport({ access, language }: Journey, visitor: Visitor, sessionId: string) {
  const opening = await visitor.get(`/hosted/sessions/${sessionId}/report`);
  const page = `/reports/sessions/${sessionId}`;
  if (access === "none") return expect(opening.headers.get("location")).not.toBe(page);
  expect([opening.status, opening.headers.get("location")]).toEqual([303, page]);
  const reportPage = await visitor.get(page);
  expect(reportPage.text).toContain(`<html lang="${language}"`);
  const links = [...reportPage.text.matchAll(/<a [^>]*href="([^"]+\.pdf[^"]*)/g)].map(([, path = ""]) => path);
  expect(links.length).toBeGreaterThan(0);
  for (const path of links) expect((await visitor.get(path)).text).toMatch(/^%PDF-1\.7/);
  // Answers that name no value have neither a poster nor a picture to share.
  if (links.length > 1) await shareCard(visitor, page, language);
  else expect(reportPage.text).not.toContain(`${page}/card`);
}

/** The picture that the person shares, as others see it, until it is taken back. */
async function shareCard(visitor: Visitor, page: string, language: string) {
  const others = new Visitor(visitor.origin);
  const shared = await visitor.submit(page, { go: "share", language }, `${page}/card`);
  expect([shared.status, shared.headers.get("location")]).toEqual([303, `${page}#share`]);
  const [, path = ""] = /\/\/[^/]+(\/reports\/cards\/\w+)"/.exec((await visitor.get(page)).text) ?? [];
  const card = await others.get(path);
  expect([card.status, card.headers.get("x-robots-tag")]).toEqual([200, "noindex, nofollow"]);
  expect(card.text).toContain(`<html lang="${language}"`);
  const [, picture = ""] = /<meta property="og:image" content="https?:\/\/[^/]+([^"]+)"/.exec(card.text) ?? [];
  const image = await others.get(picture);
  expect([image.headers.get("content-type"), image.headers.get("cache-control")]).toEqual(["image/png", "no-store"]);
  expect(image.text).toMatch(/^.PNG/);
  expect((await visitor.submit(page, { go: "remove" }, `${page}/card`)).status).toBe(303);
  for (const address of [path, picture]) expect([address, (await others.get(address)).status]).toEqual([address, 410]);
  expect((await others.head(picture)).status).toBe(410);
}
