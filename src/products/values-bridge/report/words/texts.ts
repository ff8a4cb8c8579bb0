// Every text of a report, by name. A catalogue of a language has all of them; docs/reports.md says how they are worded.
import type { CatalogueOf, Plural } from "../../../../kernel/presentation/phrases.ts";

/** Texts with places for values, written `{name}`. */
export interface ReportTexts {
  /** Stands in the head of a report without a partner's name. */
  readonly neutralHead: string;
  /** Stands for a partner without a name, within a sentence. */
  readonly somePartner: string;

  // What was answered, and when.
  readonly ratedOn: string;
  readonly rated: string;
  readonly statements: Plural;
  readonly statementsOf: string;
  readonly showsAnswers: string;

  // In short.
  readonly summaryTitle: string;
  readonly wantLead: string;
  readonly wantHigh: string;
  readonly wantHighToo: string;
  readonly orderOpen: string;
  readonly wantMore: string;
  readonly liveMore: string;
  readonly silenceEqual: string;
  readonly silenceFew: string;
  readonly silenceGrade: string;
  readonly storedOnly: string;

  // How the statements were answered; one sentence for each flag of response quality.
  readonly flagLongestRun: string;
  readonly flagSpread: string;
  readonly flagOpposites: string;
  readonly flagConsistency: string;
  readonly flagSecondBlock: string;
  readonly flagSpeed: string;
  readonly flagSpeedFail: string;

  // The archetype.
  /** Stands where one of the two lives is not known well enough. */
  readonly archetypeOpen: string;
  readonly archetypeFocused: string;
  readonly archetypePlural: string;
  readonly apart: string;
  readonly apartByChance: string;
  readonly between: string;
  readonly betweenDistances: string;
  readonly betweenDirections: string;
  readonly betweenBoth: string;
  readonly betweenNames: string;
  readonly betweenFour: string;
  readonly betweenFourNames: string;
  readonly meaningBelow: string;
  readonly meaningWithin: string;
  readonly meaningFrom: string;
  readonly meaningFocused: string;
  readonly meaningPlural: string;

  // The circle.
  readonly circleTitle: string;
  readonly circleIntroduction: string;
  readonly circleEnds: string;
  readonly circleBold: string;
  readonly circleRanks: string;
  readonly circleDescription: string;
  readonly legendWanted: string;
  readonly legendToday: string;
  readonly legendRoom: string;
  readonly legendOver: string;
  readonly legendError: string;
  readonly legendMissing: string;

  // Most wanted.
  readonly mostWantedTitle: string;
  readonly mostWantedNote: string;
  readonly portraitsNote: string;
  readonly livedLess: string;
  readonly livedMore: string;
  readonly livedAsWanted: string;
  readonly livedUnknown: string;
  readonly closeBehind: string;

  // Differences.
  readonly differencesTitle: string;
  readonly differencesNote: string;
  readonly differencesCertain: string;
  readonly differencesUnsorted: string;
  readonly differencesStored: string;
  readonly groupWantMore: string;
  readonly groupLiveMore: string;
  readonly groupAsWanted: string;
  readonly groupTooFewAnswers: string;
  readonly groupUnsorted: string;
  readonly columnValue: string;
  readonly columnPicture: string;
  readonly columnDifference: string;
  readonly averages: string;
  readonly averageIdeal: string;
  readonly averageCurrent: string;
  readonly averageNone: string;
  readonly places: string;
  readonly placeIdeal: string;
  readonly placeCurrent: string;
  readonly placeNone: string;
  readonly rank: string;
  readonly step: Plural;
  readonly moreWanted: string;
  readonly moreToday: string;
  readonly leaning: string;
  readonly noStep: string;
  /** Behind a statement that says the opposite of its value. */
  readonly inverse: string;
  readonly statementsBehind: string;

  // Pairs and questions.
  readonly pairsTitle: string;
  readonly pairsNote: string;
  readonly pairsHarmony: string;
  readonly pairsConflict: string;
  readonly questionsTitle: string;
  readonly questionMore: string;
  readonly questionLess: string;
  readonly questionConflict: string;
  readonly changeTitle: string;
  readonly changeNote: string;
  readonly changeWantedUp: string;
  readonly changeWantedDown: string;
  readonly changeTodayUp: string;
  readonly changeTodayDown: string;
  readonly supportTitle: string;

  // How to read it.
  readonly readingTitle: string;
  readonly readingOwn: string;
  readonly readingChance: string;
  readonly readingCaution: string;
  readonly readingNumbers: string;
  readonly readingWorth: string;
  readonly readingDecisions: string;
  readonly source: string;
  readonly translationDraft: string;
  readonly translationReconciled: string;
  readonly translationTested: string;
  /** Behind each of these. */
  readonly oneLanguage: string;
  readonly version: string;
  readonly sharing: string;
  readonly linkEnds: string;
  readonly sharingAlone: string;
  readonly pageEnds: string;
  readonly savePdf: string;
  /** Leads to the poster, beside the one to the PDF. */
  readonly savePoster: string;
  /** On the page of a report of test data. */
  readonly testData: string;
  readonly pageOf: string;
}

/** The texts of one language. */
export interface ReportCatalogue extends CatalogueOf<ReportTexts> {
  /** BCP 47 tag of the conventions for dates, numbers and lists. */
  readonly formats: string;
}
