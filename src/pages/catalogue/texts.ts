// Every text of the hosted pages, by name. A catalogue of a language has all of them.
import type { CatalogueOf, Plural } from "../../kernel/presentation/phrases.ts";

/** Texts with places for values, written `{name}`. */
export interface Texts {
  /** Stands for a partner without a display name, within a sentence. */
  readonly somePartner: string;
  /** Stands at the top of pages of a test twin. */
  readonly testData: string;

  // Start.
  readonly lead: string;
  readonly statementCount: Plural;
  readonly duration: Plural;
  readonly savedAsYouGo: string;
  readonly noWrongAnswers: string;
  readonly partsHeading: string;
  readonly parts: string;
  readonly useHeading: string;
  readonly use: string;
  readonly comparison: string;
  readonly comparisonLink: string;
  readonly cookie: string;
  readonly start: string;
  readonly welcomeBack: string;
  readonly resumed: string;
  readonly remaining: Plural;
  readonly resume: string;
  readonly allAnswered: string;
  readonly toReview: string;

  // Questions.
  readonly skipToContent: string;
  readonly part: string;
  readonly pageOf: string;
  readonly progress: string;
  readonly newPart: string;
  readonly next: string;
  readonly back: string;
  readonly missingAnswer: string;
  readonly missingOnPage: string;
  readonly goOnWithout: string;
  readonly errorPrefix: string;
  readonly savedOnNext: string;
  readonly saving: string;
  readonly saved: string;
  readonly notSaved: string;
  readonly savedAgain: string;
  readonly outOfDate: string;
  readonly reload: string;

  // Review.
  readonly review: string;
  readonly reviewMissing: string;
  readonly missingCount: Plural;
  readonly missingHelp: string;
  readonly moreMissing: Plural;
  readonly answerMissing: string;
  readonly complete: string;
  readonly finishHelp: string;
  /** Where the results are offered. */
  readonly finishThenResults: string;
  readonly finish: string;
  readonly finishing: string;
  readonly lookThrough: string;
  readonly noAnswer: string;
  readonly change: string;

  // Completed.
  readonly doneTitle: string;
  readonly done: string;
  readonly continueTo: string;
  readonly continueOn: string;
  readonly seeResults: string;
  readonly resultsWait: string;
  readonly supportTitle: string;

  // When something is in the way: a title, and what it means for the person.
  readonly unknownLinkTitle: string;
  readonly unknownLink: string;
  readonly expiredLinkTitle: string;
  readonly expiredLink: string;
  readonly noBrowserSessionTitle: string;
  readonly noBrowserSession: string;
  readonly noReportBrowserSessionTitle: string;
  readonly noReportBrowserSession: string;
  readonly cancelledSessionTitle: string;
  readonly cancelledSession: string;
  readonly expiredSessionTitle: string;
  readonly expiredSession: string;
  readonly nothingHereTitle: string;
  readonly nothingHere: string;
  readonly notAcceptedTitle: string;
  readonly notAccepted: string;
  readonly invalidTitle: string;
  readonly invalid: string;
  readonly tooManyTitle: string;
  readonly tooMany: string;
  readonly unavailableTitle: string;
  readonly unavailable: string;
  readonly defectTitle: string;
  readonly defect: string;
  readonly requestNumber: string;
  readonly tryAgain: string;
  readonly toStart: string;
}

/** The texts of one language. */
export type Catalogue = CatalogueOf<Texts>;
