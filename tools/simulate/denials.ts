// Which sentences of a report a named difference contradicts: every sentence is read against every difference.
import type { ReportModel, ReportValue } from "../../src/products/values-bridge/report/report-model.ts";

type Gap = NonNullable<ReportValue["gap"]>;

/** A sentence, and the value that it is about; null: about all of life. */
interface Sentence {
  readonly text: string;
  readonly valueId: number | null;
}

/** Words of reports in English, and the differences that they deny. */
const denials: readonly (readonly [words: RegExp, denied: (gap: Gap) => boolean])[] = [
  [/\b(?:live close to the life|already has its place|found room for)\b/, () => true],
  [/\b(?:near the one you want|not far from the one|a few small steps)\b/i, ({ inSummary }) => inSummary],
  [/^People who want this much\b/, () => true],
  [
    /^People who want more of this\b|^You want more of this\b|higher for the life you want than/,
    ({ steps }) => steps < 0,
  ],
  [
    /^People who live more of this\b|higher for today than|\bso much \w+(?: \w+)? come from\b/,
    ({ steps }) => steps > 0,
  ],
  [/\bhold more \w+(?: \w+)? than most\b|^For more\b/, ({ steps }) => steps < 0],
  [/^For less\b/, ({ steps }) => steps > 0],
];

/** A paragraph on a value tells of people. One that tells its reader what they do says that they live it. */
const addressed = /\b(?:you|your|yours)\b[^?]*\.$/i;

const split = (text: string): readonly string[] => text.split(/(?<=[.?!]) /);

/** The paragraphs on values, a sentence at a time. */
function portraitsIn({ mostWanted }: ReportModel): readonly (readonly Sentence[])[] {
  return (mostWanted?.entries ?? []).flatMap(({ valueId, portrait }) =>
    portrait === null
      ? []
      : [Object.values(portrait).flatMap((part: string) => split(part).map((text) => ({ text, valueId })))],
  );
}

/** Every other sentence of the summary, of what is wanted most, of the questions and of the suggested steps. */
function othersIn({ summary, mostWanted, questions, steps, values }: ReportModel): readonly Sentence[] {
  const { archetype } = summary;
  const whole = archetype === null ? [] : [archetype.summary.text, ...archetype.notes];
  const about = (text: string): readonly Sentence[] =>
    values
      .filter(({ name }) => text.includes(name.text))
      .flatMap(({ valueId, name }) =>
        split(text.replace(`${name.text}: `, "")).map((each) => ({ text: each, valueId })),
      );
  return [
    ...whole.flatMap(split).map((text) => ({ text, valueId: null })),
    ...[...summary.sentences, ...(questions?.entries ?? [])].flatMap(about),
    ...(mostWanted?.entries ?? []).flatMap(({ valueId, text }) => (text === null ? [] : [{ text, valueId }])),
    ...(steps?.offers ?? []).map(({ valueId, text }) => ({ text, valueId })),
  ];
}

/** Whether a named difference contradicts a sentence. */
function isDenied({ text, valueId }: Sentence, isPortrait: boolean, { values }: ReportModel): boolean {
  const about = values.filter((value) => valueId === null || value.valueId === valueId);
  return about.some(({ gap }) => {
    if (gap === null || !gap.named) return false;
    if (isPortrait && addressed.test(text)) return true;
    return denials.some(([words, denied]) => words.test(text) && denied(gap));
  });
}

/** Number of paragraphs on values, and of those with a sentence that a named difference contradicts. */
export function portraitCounts(report: ReportModel): { readonly all: number; readonly denied: number } {
  const portraits = portraitsIn(report);
  const denied = portraits.filter((sentences) => sentences.some((each) => isDenied(each, true, report)));
  return { all: portraits.length, denied: denied.length };
}

/** Every sentence that a named difference contradicts, of a report in English. */
export function deniedSentences(report: ReportModel): string[] {
  return [
    ...portraitsIn(report)
      .flat()
      .filter((each) => isDenied(each, true, report)),
    ...othersIn(report).filter((each) => isDenied(each, false, report)),
  ].map(({ text }) => text);
}
