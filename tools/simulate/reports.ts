// What reports say, and whether an immediate second answering would make them say it again.
import { createNormLayout } from "../../src/products/values-bridge/norms/layout.ts";
import { computeNormNumbers } from "../../src/products/values-bridge/norms/numbers.ts";
import { computeStandings } from "../../src/products/values-bridge/norms/standing.ts";
import { NormSums } from "../../src/products/values-bridge/norms/sums.ts";
import type { Quality } from "../../src/products/values-bridge/quality/quality.ts";
import { createReportModel } from "../../src/products/values-bridge/report/report.ts";
import type { ReportModel } from "../../src/products/values-bridge/report/report-model.ts";
import { type ClaimKind, claimKinds, collectClaims } from "./claims.ts";
import { contradictionsIn, cutTiesIn } from "./contradictions.ts";
import { portraitCounts } from "./denials.ts";
import { answer, drawInstrument, drawPerson, type Instrument, type Person } from "./people.ts";
import type { Population } from "./populations.ts";
import type { Random } from "./random.ts";
import type { Setting } from "./setting.ts";
import { type Figure, share, Tally } from "./tally.ts";

export interface ReportFigures {
  /** Of all claims: repeated, be it in weaker words. */
  readonly repeated: Figure;
  /** Of all claims: made, be it in weaker words, by the report on somebody else too. What those words allow. */
  readonly byStranger: Figure;
  /** Repeated claims by kind, and how many claims of the kind a report has. */
  readonly kinds: Readonly<
    Record<ClaimKind, { readonly weaker: Figure; readonly same: Figure; readonly count: Figure }>
  >;
  /** Reports that name no difference, and those that name no leading value either. */
  readonly withoutDifference: Figure;
  readonly withoutBoth: Figure;
  /** Paragraphs on values in a report, and number of those in all reports that a named difference contradicts. */
  readonly portraits: Figure;
  readonly deniedPortraits: Figure;
  /** How often, in all reports, one of two equal values is named as first and not the other. */
  readonly cutTies: Figure;
  /** Number of contradictions in all reports, and what they are. */
  readonly contradictions: Figure;
  readonly found: ReadonlySet<string>;
  /** People whose lives are thought of alike, and who are told a distance all the same. */
  readonly falseDistance: Figure;
}

/** Reports on people who answer twice, with the same thoughts and other slips. */
export function reportFigures(random: Random, population: Population, setting: Setting, people: number): ReportFigures {
  const { statements, perValue, definition } = setting;
  const [repeated, byStranger, falseDistance] = [new Tally(), new Tally(), new Tally()];
  const [withoutDifference, withoutBoth] = [new Tally(), new Tally()];
  const kinds = new Map(claimKinds.map((kind) => [kind, { weaker: new Tally(), same: new Tally(), count: 0 }]));
  const contradictions: string[] = [];
  const portraits = { all: 0, denied: 0 };
  let [reports, claimCount, cutTies] = [0, 0, 0];
  let stranger: Sitting | null = null;
  const draw = () => {
    const instrument = drawInstrument(random, population, statements.length, perValue);
    return { instrument, norms: computeNorms(random, population, instrument, setting) };
  };
  let { instrument, norms } = draw();
  for (let index = 0; index < people; index += 1) {
    if (index % peopleOfInstrument === 0) ({ instrument, norms } = draw());
    const person = drawPerson(random, population, instrument);
    const sit = (of: Person) => reportOn(setting, answer(random, population, instrument, of, statements), norms);
    const [first, second] = [sit(person), sit(person)];
    const { attitude } = person;
    const alike = sit({ ...person, attitude: { ideal: attitude.ideal, current: attitude.ideal } });
    for (const { report, quality } of [first, second, alike]) {
      contradictions.push(...contradictionsIn(report, { definition, quality }));
      cutTies += cutTiesIn(report).length;
      const { all, denied } = portraitCounts(report);
      claimCount += 1;
      portraits.all += all;
      portraits.denied += denied;
    }
    falseDistance.add(tellsDistance(alike.report, setting));
    if (first.report.summary.silence !== null) continue;
    reports += 1;
    const claims = collectClaims(first.report, definition);
    const hasNone = (...these: ClaimKind[]) => !claims.some(({ kind }) => these.includes(kind));
    withoutDifference.add(hasNone("inSummary", "named"));
    withoutBoth.add(hasNone("inSummary", "named", "leading"));
    for (const { kind, isRepeatedBy } of claims) {
      const { same, weaker } = isRepeatedBy(second.report, second.quality);
      const tally = kinds.get(kind);
      repeated.add(weaker);
      if (tally === undefined) continue;
      tally.count += 1;
      tally.same.add(same);
      tally.weaker.add(weaker);
      if (stranger !== null) byStranger.add(isRepeatedBy(stranger.report, stranger.quality).weaker);
    }
    stranger = second;
  }
  const ofKind = (kind: ClaimKind) => {
    const { weaker, same, count } = kinds.get(kind) ?? { weaker: new Tally(), same: new Tally(), count: 0 };
    return { weaker: share(weaker), same: share(same), count: { value: count / reports, unit: "number" } as const };
  };
  return {
    repeated: share(repeated),
    byStranger: share(byStranger),
    kinds: Object.fromEntries(claimKinds.map((kind) => [kind, ofKind(kind)])) as ReportFigures["kinds"],
    withoutDifference: share(withoutDifference),
    withoutBoth: share(withoutBoth),
    portraits: { value: portraits.all / claimCount, unit: "number" },
    deniedPortraits: { value: portraits.denied, unit: "number" },
    cutTies: { value: cutTies, unit: "number" },
    contradictions: { value: contradictions.length, unit: "number" },
    found: new Set(contradictions),
    falseDistance: share(falseDistance),
  };
}

interface Sitting {
  readonly report: ReportModel;
  readonly quality: Quality;
}

/** So many people answer the same statements, and are compared with so many others who did. */
const peopleOfInstrument = 20;
const peopleOfNorms = 120;

/** A comparison with people of the same population who answered the same statements. */
function computeNorms(
  random: Random,
  population: Population,
  instrument: Instrument,
  { statements, assessor }: Setting,
) {
  const layout = createNormLayout(assessor.compiled);
  const sums = new NormSums(layout);
  for (let index = 0; index < peopleOfNorms; index += 1) {
    const answers = answer(random, population, instrument, drawPerson(random, population, instrument), statements);
    sums.add({ answers, completedAt: new Date(0), isHosted: false });
  }
  const numbers = computeNormNumbers(sums);
  return (answers: readonly number[], quality: Quality): Quality["norms"] => ({
    ...({ released: "", n: peopleOfNorms, provisional: true, language: "en", scope: "partner" } as const),
    translationState: null,
    values: computeStandings(layout, numbers, answers, quality.error?.values ?? []),
  });
}

function reportOn(
  { definition, scorer, assessor }: Setting,
  answers: readonly number[],
  norms: ReturnType<typeof computeNorms>,
): Sitting {
  const own = assessor.assess(answers, null);
  const quality = own.error === null ? own : { ...own, norms: norms(answers, own) };
  const report = createReportModel({
    definition,
    assessmentVersion: null,
    explanation: { explainsResults: true, ...scorer.explain(answers) },
    quality,
    session: null,
    locales: ["en"],
  });
  return { report, quality };
}

/** Whether a report tells one archetype, and that of some distance. */
function tellsDistance({ summary: { archetype } }: ReportModel, { definition }: Setting): boolean {
  if (archetype === null || archetype.name === null || archetype.between.length > 0) return false;
  return definition.archetypes.some(({ id, gapFrom }) => id === archetype.archetypeId && gapFrom > 0);
}
