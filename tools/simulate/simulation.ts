// The whole simulation: every figure for every population, as tables in Markdown.
import { at } from "../../src/products/values-bridge/scoring/exact.ts";
import { table } from "../docs/markdown.ts";
import { type ClaimKind, claimKinds } from "./claims.ts";
import { errorFigures, noiseFigures } from "./errors.ts";
import { type GradeFigures, gradeFigures, guessing, incompleteFigures, incompleteStyles, shares } from "./grades.ts";
import { type Population, populations } from "./populations.ts";
import { seededRandom } from "./random.ts";
import { referenceFigures } from "./reference.ts";
import { repeatFigures } from "./repeats.ts";
import { type ReportFigures, reportFigures } from "./reports.ts";
import { builtInSetting, type Setting } from "./setting.ts";
import { type Figure, show } from "./tally.ts";
import { teamFigures, teamSizes } from "./teams.ts";

export interface SimulationOptions {
  /** People of each population and figure, 1 or more. */
  readonly people: number;
  /** The same seed gives the same figures. */
  readonly seed: number;
  /** Populations that are simulated, some of all: the figures of one are the same with others and without. */
  readonly of: readonly Population[];
}

/** The figures of docs/trust.md. */
export const defaults: SimulationOptions = { people: 1_000, seed: 1, of: populations };

/** One line of a table: what it is about, and its figure for each population. */
type Row = readonly [what: string, figures: readonly Figure[]];

/** The parameters of the generating model, as the table names them. */
const parameters: Readonly<Record<Exclude<keyof Population, "name">, string>> = {
  level: "level, mean",
  levelSd: "level, SD between people",
  lag: "lag of the current life",
  popularity: "popularity of a value, SD",
  direction: "direction on the circle, SD of each coordinate",
  taste: "taste for a value, SD",
  overlap: "overlap of the two lives, correlation",
  attraction: "attraction of a statement, SD",
  statementTaste: "taste for a statement, SD",
  slip: "slip, SD",
  agreement: "readiness to agree, SD",
};

/** What reports claim, by kind. */
const claims: Readonly<Record<ClaimKind, string>> = {
  headline: "a value of the headline",
  leading: "a value leads",
  high: "a value is among the highest",
  highlight: "what is missed most, or takes more room than wanted",
  inSummary: "a difference, in the summary",
  named: "a difference, in the list alone",
  archetype: "one name of an archetype",
  between: "the two or four archetypes that answers lie between",
  pair: "a pair",
  others: "more or less weight than most others give it",
};

/** What a second answering makes of the sentences of a report. */
export function reportRows(reports: readonly ReportFigures[]): Row[] {
  const rowsOf = (kind: ClaimKind): Row[] => [
    [`${claims[kind]}: in a report`, reports.map(({ kinds }) => kinds[kind].count)],
    [`${claims[kind]}: said again`, reports.map(({ kinds }) => kinds[kind].weaker)],
    [`${claims[kind]}: in the same words`, reports.map(({ kinds }) => kinds[kind].same)],
  ];
  return [
    ["all claims: said again", reports.map(({ repeated }) => repeated)],
    ["all claims: said of somebody else too", reports.map(({ byStranger }) => byStranger)],
    ...claimKinds.flatMap(rowsOf),
    ["paragraphs on values: in a report", reports.map(({ portraits }) => portraits)],
    ["paragraphs that a named difference contradicts, in all reports", reports.map((each) => each.deniedPortraits)],
    ["no gap real: one name, of a distance", reports.map(({ falseDistance }) => falseDistance)],
    ["contradictions in all reports", reports.map(({ contradictions }) => contradictions)],
  ];
}

/** A claim that fewer reports than this make has no share of its own. */
const fewest = 0.05;

/** The range of a figure over all populations, in whole numbers. */
function range(figures: readonly Figure[]): string {
  const [least, most] = [Math.min, Math.max].map((of) => of(...figures.map(({ value }) => Math.round(value))));
  const unit = figures.some((figure) => figure.unit === "percent") ? " %" : "";
  return least === most ? `${least}${unit}` : `${least} to ${most}${unit}`;
}

/** Grades of answers that are not whole, over all populations. */
function incompleteTable(long: readonly IncompleteFigures[], short: readonly IncompleteFigures[]): string {
  const head = (form: string) => shares.map((omittedShare) => `${form}, ${100 * omittedShare} % left out`);
  const rows = Object.keys(incompleteStyles).flatMap((style) =>
    (["good", "fail"] as const).map((grade) => [
      `${style}: ${grade}`,
      ...[long, short].flatMap((form) =>
        shares.map((_, place) => range(form.map((figures) => at(figures.get(style) ?? [], place)[grade]))),
      ),
    ]),
  );
  return table(["Grade", ...head("long"), ...head("short")], rows);
}

/** How often reports of both forms say a thing again, over all populations: the table of docs/reports.md. */
function repeatedTable(...forms: readonly (readonly ReportFigures[])[]): string {
  const row = (what: string, read: (of: ReportFigures) => Figure) => [
    what,
    ...forms.map((reports) => range(reports.map(read))),
  ];
  const again = (kind: ClaimKind) => [
    claims[kind],
    ...forms.map((reports) => {
      const frequentKinds = reports.map(({ kinds }) => kinds[kind]).filter(({ count }) => count.value >= fewest);
      return frequentKinds.length === 0 ? "–" : range(frequentKinds.map(({ weaker }) => weaker));
    }),
  ];
  return table(
    ["Of the claims of a report, are made again, be it in weaker words", "long form", "short form"],
    [
      row("all", ({ repeated }) => repeated),
      row("all, by the report on somebody else", ({ byStranger }) => byStranger),
      ...claimKinds.map(again),
      row("reports that name no difference", ({ withoutDifference }) => withoutDifference),
      row("reports that name neither a difference nor a leading value", ({ withoutBoth }) => withoutBoth),
      row("equal values of which one is named as first and not the other", ({ cutTies }) => cutTies),
      row("sentences that contradict a named difference, or an error", ({ contradictions }) => contradictions),
      row("paragraphs on values that do", ({ deniedPortraits }) => deniedPortraits),
    ],
  );
}

/** People of each population and form whose reports docs/reports.md counts. */
export const reportPeople = 600;

/** Simulates the reports of both forms alone: the table of docs/reports.md. */
export function simulateReports({ people, seed, of }: SimulationOptions): string {
  const streams = seededRandom(seed);
  const inForm = (setting: Setting) =>
    of.map((population) => reportFigures(seededRandom(streams.whole(0, 2 ** 31)), population, setting, people));
  return repeatedTable(inForm(builtInSetting()), inForm(builtInSetting("short")));
}

type IncompleteFigures = ReturnType<typeof incompleteFigures>;

/** What is measured of both forms, by population. */
interface FormFigures {
  readonly reference: readonly ReturnType<typeof referenceFigures>[];
  readonly attentive: readonly GradeFigures[];
  /** Any rating, throughout and in the second block. */
  readonly guessed: readonly GradeFigures[];
  readonly halfGuessed: readonly GradeFigures[];
  readonly errors: readonly ReturnType<typeof errorFigures>[];
  readonly noise: readonly ReturnType<typeof noiseFigures>[];
  readonly reports: readonly ReportFigures[];
}

/** Both forms beside each other. */
function formRows(long: FormFigures, short: FormFigures): Row[] {
  const both = (what: string, read: (of: FormFigures) => readonly Figure[]): Row[] => [
    [`${what}: long`, read(long)],
    [`${what}: short`, read(short)],
  ];
  return [
    ...both("alpha of a cell", ({ reference }) => reference.map(({ alpha }) => alpha)),
    ...both("standard error of a score", ({ errors }) => errors.map(({ scoreError }) => scoreError)),
    ...both("standard error of a gap", ({ errors }) => errors.map(({ gapError }) => gapError)),
    ...both("interval holds the score", ({ errors }) => errors.map(({ pool }) => pool)),
    ...both("gap ± 1.96 standard errors holds the gap", ({ errors }) => errors.map(({ gap }) => gap)),
    ...both("rank range holds the true rank", ({ errors }) => errors.map(({ ranks }) => ranks)),
    ...both("ranks in a rank range", ({ errors }) => errors.map(({ span }) => span)),
    ...both("no gap real: `aboveNoise`", ({ noise }) => noise.map(({ above }) => above)),
    ...both("no gap real: some gap `joint`", ({ noise }) => noise.map(({ joint }) => joint)),
    ...both("attentive: good", ({ attentive }) => attentive.map(({ good }) => good)),
    ...both("attentive: caution", ({ attentive }) => attentive.map(({ caution }) => caution)),
    ...both("attentive: fail", ({ attentive }) => attentive.map(({ fail }) => fail)),
    ...both("any rating, each as likely: good", ({ guessed }) => guessed.map(({ good }) => good)),
    ...both("any rating, each as likely: fail", ({ guessed }) => guessed.map(({ fail }) => fail)),
    ...both("any rating in the second block: good", ({ halfGuessed }) => halfGuessed.map(({ good }) => good)),
    ...both("any rating in the second block: fail", ({ halfGuessed }) => halfGuessed.map(({ fail }) => fail)),
    ...both("a value leads: in a report", ({ reports }) => reports.map(({ kinds }) => kinds.leading.count)),
    ...both("a difference, in the summary: in a report", ({ reports }) =>
      reports.map(({ kinds }) => kinds.inSummary.count),
    ),
    ...both("no difference named", ({ reports }) => reports.map((each) => each.withoutDifference)),
    ...both("neither a difference nor a leading value", ({ reports }) => reports.map((each) => each.withoutBoth)),
    ...both("all claims: said again", ({ reports }) => reports.map(({ repeated }) => repeated)),
    ...both("contradictions in all reports", ({ reports }) => reports.map(({ contradictions }) => contradictions)),
  ];
}

/** Simulates, and writes the figures as Markdown: all of them, and those of both forms and of incomplete answers. */
export function simulate({
  people,
  seed,
  of: simulated,
}: SimulationOptions): Readonly<Record<"figures" | "forms" | "incomplete", string>> {
  const setting = builtInSetting();
  const streams = seededRandom(seed);
  const seeds = Array.from({ length: 26 * populations.length }, () => streams.whole(0, 2 ** 31));
  /** Figures have random numbers of their own, by the number of their stream: they do not depend on which others there are. */
  const inPopulations = <T>(
    stream: number,
    measure: (...args: Parameters<typeof referenceFigures>) => T,
    of = setting,
  ): T[] =>
    populations.flatMap((population, index) => {
      const random = seededRandom(at(seeds, stream * populations.length + index));
      return simulated.includes(population) ? [measure(random, population, of, people)] : [];
    });
  const inStyle = (stream: number, style: keyof typeof guessing, of = setting) =>
    inPopulations(stream, (...args) => gradeFigures(...args, guessing[style]), of);

  const reference = inPopulations(0, referenceFigures);
  const attentive = inPopulations(1, gradeFigures);
  const guessed = [
    { name: "any rating, each as likely", grades: inStyle(2, "any rating, each as likely") },
    { name: "any rating in the second block", grades: inStyle(3, "any rating in the second block") },
  ] as const;
  const errors = inPopulations(7, errorFigures);
  const noise = inPopulations(8, noiseFigures);
  const repeats = inPopulations(9, repeatFigures);
  const reports = inPopulations(13, reportFigures);
  const teams = inPopulations(15, teamFigures);
  const short = builtInSetting("short");
  const inShort: FormFigures = {
    reference: inPopulations(16, referenceFigures, short),
    attentive: inPopulations(17, gradeFigures, short),
    guessed: inStyle(18, "any rating, each as likely", short),
    halfGuessed: inStyle(22, "any rating in the second block", short),
    errors: inPopulations(19, errorFigures, short),
    noise: inPopulations(20, noiseFigures, short),
    reports: inPopulations(21, reportFigures, short),
  };

  const sections: readonly (readonly [title: string, rows: readonly Row[]])[] = [
    [
      "The simulated people",
      [
        ["correlation of two statements of a cell", reference.map(({ interItem }) => interItem)],
        ["alpha of a cell", reference.map(({ alpha }) => alpha)],
        ["correlation of a value's two lives", reference.map(({ lives }) => lives)],
        ["total gap", errors.map(({ total }) => total)],
      ],
    ],
    [
      "Grades",
      [
        ["attentive: good", attentive.map(({ good }) => good)],
        ["attentive: fail", attentive.map(({ fail }) => fail)],
        ...guessed.map(({ name, grades }): Row => [`${name}: good`, grades.map(({ good }) => good)]),
        ...guessed.map(({ name, grades }): Row => [`${name}: caution`, grades.map(({ caution }) => caution)]),
        ...guessed.map(({ name, grades }): Row => [`${name}: fail`, grades.map(({ fail }) => fail)]),
      ],
    ],
    [
      "Errors",
      [
        ["interval holds the score over all possible statements", errors.map(({ pool }) => pool)],
        ["gap ± 1.96 standard errors holds the gap over all possible statements", errors.map(({ gap }) => gap)],
        ["rank range holds the true rank", errors.map(({ ranks }) => ranks)],
        ["ranks in a rank range", errors.map(({ span }) => span)],
        ["values that share their score with another", errors.map(({ tied }) => tied)],
        ["no gap real: total gap", noise.map(({ total }) => total)],
        ["no gap real: `noise`", noise.map((figures) => figures.noise)],
        ["no gap real: `aboveNoise`", noise.map(({ above }) => above)],
        ["no gap real: some gap `joint`", noise.map(({ joint }) => joint)],
      ],
    ],
    [
      "Immediate repeats",
      [
        ["archetype recurs", repeats.map(({ recurs }) => recurs)],
        ["archetype recurs, all shorter versions had agreed", repeats.map(({ recursIfAll }) => recursIfAll)],
        ["archetype recurs, half of them or fewer had agreed", repeats.map(({ recursIfHalf }) => recursIfHalf)],
        ["nothing changed: change `single` or `joint`", repeats.map(({ consistent }) => consistent)],
        ["nothing changed: change `joint`", repeats.map(({ joint }) => joint)],
        ["a mood in one sitting: change `single` or `joint`", repeats.map(({ consistentInMood }) => consistentInMood)],
        ["a mood in one sitting: change `joint`", repeats.map(({ jointInMood }) => jointInMood)],
        ["a mood in both sittings: change `single` or `joint`", repeats.map((each) => each.consistentInMoods)],
        ["a mood in both sittings: change `joint`", repeats.map(({ jointInMoods }) => jointInMoods)],
      ],
    ],
    ["Reports", reportRows(reports)],
    [
      "Team reports",
      teamSizes.flatMap((size, index): Row[] => {
        const of = (name: keyof (typeof teams)[number][number]["figures"]) =>
          teams.map((sizes) => at(sizes, index).figures[name]);
        return [
          [`${size} people, every value lived 0.3 steps less than wanted: a gap is named`, of("lagging")],
          [`${size} people with nothing in common: anything is named`, of("any")],
          [
            `${size} people, one value lived 1.5 steps less than wanted, SD 0.8 between people: a gap is named`,
            of("found"),
          ],
        ];
      }),
    ],
  ];
  const tableOf = (title: string, rows: readonly (readonly (string | number)[])[]) =>
    table([title, ...simulated.map(({ name }) => name)], rows);
  const tables = [
    tableOf(
      "Population",
      Object.entries(parameters).map(([name, what]) => [
        what,
        ...simulated.map((population) => population[name as keyof typeof parameters]),
      ]),
    ),
    ...sections.map(([title, rows]) =>
      tableOf(
        title,
        rows.map(([what, figures]) => [what, ...figures.map(show)]),
      ),
    ),
  ].join("\n\n");
  const [{ grades: ofGuesses }, { grades: ofHalfGuesses }] = guessed;
  const long = { reference, attentive, guessed: ofGuesses, halfGuessed: ofHalfGuesses, errors, noise, reports };
  const forms = formRows(long, inShort).map(([what, of]) => [what, ...of.map(show)]);
  const incomplete = incompleteTable(inPopulations(24, incompleteFigures), inPopulations(25, incompleteFigures, short));
  return { figures: tables, forms: tableOf("Form", forms), incomplete };
}
