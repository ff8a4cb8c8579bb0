// Reports in English.
import type { ReportCatalogue } from "./texts.ts";

export const english: ReportCatalogue = {
  language: "en",
  formats: "en-GB",
  texts: {
    neutralHead: "Report on your values",
    somePartner: "The organisation that invited you",

    ratedOn: "On {date} you rated {statements} about the life you want and the life you have.",
    rated: "You rated {statements} about the life you want and the life you have.",
    statements: { one: "{count} statement", other: "{count} statements" },
    statementsOf: "{given} of {total} statements",
    showsAnswers: "This report shows what you said. No result is good or bad.",

    summaryTitle: "In short",
    wantLead: "Clearly among what you want most: {values}.",
    wantHigh: "Among your highest ratings for the life you want: {values}.",
    wantHighToo: "Also high: {values}.",
    orderOpen: "Your answers leave open which of them comes first.",
    wantMore: "You want more of this than you live today: {values}.",
    liveMore: "You rated {values} higher for today than for the life you want.",
    silenceEqual:
      "You gave every value the same rating for the life you want. So this report names no first places, pairs or questions.",
    silenceFew:
      "{scored} of {total} values have enough answers on the life you want. That is too few to compare them, so this report names no first places, pairs or questions.",
    silenceGrade: "So this report shows your answers, but draws nothing from them.",
    storedOnly:
      "These results were stored by an earlier release. This report lists the places and differences of that time. Pictures and sentences take more than was stored.",

    flagLongestRun: "At one point you gave the same rating {count} times in a row.",
    flagSpread: "Most of your ratings lie close together on the scale.",
    flagOpposites: "Your ratings of statements that say opposite things hardly mirror each other.",
    flagConsistency: "Your answers hardly separate the values from each other.",
    flagSecondBlock:
      "Your answers in the second part hardly separate the values; those in the first part do so more clearly.",
    flagSpeed: "Your answers arrived quickly: on average one every {seconds} seconds.",
    flagSpeedFail: "Your answers arrived faster than statements can be read.",

    archetypeOpen: "Too few answers on your life today for one of the archetypes.",
    archetypeFocused:
      "The values you want most point in one direction. The name stands for these two things; it is not a type of person.",
    archetypePlural:
      "The values you want most point in several directions. The name stands for these two things; it is not a type of person.",
    apart:
      "On average, your ratings for the life you want and for today are {steps} of the answer scale apart; values that you want more count for more.",
    apartByChance: "Chance alone would make about {steps}.",
    between: "Between “{one}” and “{other}”",
    betweenDistances: "Your answers leave open how far apart the two lives really are.",
    betweenDirections: "Your answers leave open whether the values you want most point in one direction or in several.",
    betweenBoth:
      "Your answers leave open how far apart the life you want and your life today are. They also leave open whether your wishes point in one direction or in several.",
    betweenNames: "A few slightly different answers could have led to either name. Neither is a type of person.",
    betweenFour: "Between four archetypes",
    betweenFourNames:
      "A few slightly different answers could have led to any of these names. None of them is a type of person.",
    meaningBelow: "The two lives are less than {below} apart on average,",
    meaningWithin: "The two lives are {from} to {below} apart on average,",
    meaningFrom: "The two lives are {from} or more apart on average,",
    meaningFocused: "and the wishes point in one direction.",
    meaningPlural: "and the wishes point in several directions.",

    circleTitle: "Your circle of values",
    circleIntroduction:
      "Each petal is a value. The line is how much you want it; the filled part is how much you live it today. Neighbours pull the same way, opposite sides pull apart.",
    circleEnds: "Centre: “{lowest}”. Rim: “{highest}”.",
    circleBold: "Bold: what you want most.",
    circleRanks: "The numbers are places in the life you want; the table below has them with the names.",
    circleDescription: "A circle of {count} values.",
    legendWanted: "the life you want",
    legendToday: "your life today",
    legendRoom: "room to live more",
    legendOver: "lived more than wanted",
    legendError: "what your answers leave open",
    legendMissing: "too few answers",

    mostWantedTitle: "What you want most",
    mostWantedNote: "The values that you rated highest for the life you want. Their order here says little.",
    portraitsNote:
      "With the clearest ones: what is often so for people who rate a value as you did, what it can bring with it, and a question. It does not say what you do; see for yourself what fits.",
    livedLess: "Rated {steps} higher for the life you want than for today.",
    livedMore: "Rated {steps} higher for today than for the life you want.",
    livedAsWanted: "Where nothing is said about today, your answers do not show a clear difference.",
    livedUnknown: "Too few answers on your life today.",
    closeBehind: "Close behind: {values}.",

    differencesTitle: "Your life and your wishes, value by value",
    differencesNote:
      "A step is one point of the answer scale. Differences of less than {steps} steps can be chance and are not named.",
    differencesCertain:
      "A step is one point of the answer scale. A difference is named if it is at least {steps} steps and stands out from the scatter of your answers.",
    differencesUnsorted:
      "A step is one point of the answer scale. Your answers do not allow differences to be told from chance, so the values stand in the order of the circle.",
    differencesStored: "A step is one point of the answer scale.",
    groupWantMore: "You want more of this",
    groupLiveMore: "Higher for today than for the life you want",
    groupAsWanted: "No clear difference",
    groupTooFewAnswers: "Too few answers",
    groupUnsorted: "All values",
    columnValue: "Value",
    columnPicture: "Wanted and today",
    columnDifference: "Difference",
    averages: "wanted {ideal}, today {current}",
    averageIdeal: "wanted {ideal}, today not known",
    averageCurrent: "wanted not known, today {current}",
    averageNone: "not known",
    places: "wanted: place {ideal} ({idealTier}), today: place {current} ({currentTier})",
    placeIdeal: "wanted: place {ideal} ({idealTier})",
    placeCurrent: "today: place {current} ({currentTier})",
    placeNone: "no place",
    rank: "place {rank}",
    step: { one: "{count} step", other: "{count} steps" },
    moreWanted: "{steps} more wanted",
    moreToday: "{steps} higher for today",
    leaning: "{difference}, could be chance",
    noStep: "the same",
    inverse: "(counts the other way)",
    statementsBehind: "The statements behind it",

    pairsTitle: "What goes together, and what pulls apart",
    pairsNote: "Pairs of values: you want both clearly more than your own average.",
    pairsHarmony: "Near each other on the circle: they pull the same way.",
    pairsConflict:
      "Opposite sides of the circle: to want both is no contradiction, but now and then it takes a choice.",
    questionsTitle: "Questions to take with you",
    questionMore: "When did a day last hold more {value} than most days do? What made room for it?",
    questionLess: "Where does so much {value} come from at the moment? Which part of it could be smaller?",
    questionConflict:
      "Think of a choice in which {one} and {other} both counted. Which came first, and how was that for you?",
    changeTitle: "Since last time",
    changeNote:
      "Compared with your answers of {date}. This names the changes that the statements on a value agree about; a mood can bring those about too.",
    changeWantedUp: "{value}: wanted {steps} more than then.",
    changeWantedDown: "{value}: wanted {steps} less than then.",
    changeTodayUp: "{value}: lived {steps} more than then.",
    changeTodayDown: "{value}: lived {steps} less than then.",
    supportTitle: "If something here weighs on you",

    readingTitle: "How to read this report",
    readingOwn: "It rests on your own answers alone and compares you with nobody.",
    readingChance:
      "Each value stands on a few statements for each life. On another day some answers would differ, so small differences and neighbouring places say little.",
    readingCaution: "Read small differences with more care.",
    readingNumbers: "Numbers from {min} to {max} are averages on the scale that you answered on.",
    readingWorth: "Values are neither good nor bad, and that includes those that you want less than the rest.",
    readingDecisions: "This is no diagnosis, and no ground for anybody to decide about you.",
    source:
      "The statements were written to measure the values of the refined theory of basic values (Schwartz et al. 2012). Whether they do is not yet tested. They are our own; the authors of the theory have not endorsed them.",
    translationDraft:
      "The statements in {language} are a draft of a translation: nobody has tested whether they say the same as the original ones.",
    translationReconciled:
      "The statements in {language} are a translation on which two translators agreed; nobody has tested it yet.",
    translationTested:
      "The statements in {language} are a translation that was tried with people; there are no data yet to show that it measures the same.",
    oneLanguage: "Do not compare these results with those of people who answered in another language.",
    version: "Version {version} of the questionnaire.",
    sharing: "{partner} has these results, and so does everybody who has your link.",
    linkEnds: "The link works until {date}.",
    sharingAlone: "{partner} has these results as well.",
    pageEnds: "On this device the page stays open until {date}.",
    savePdf: "Save as PDF",
    savePoster: "Poster",
    testData: "Test data",
    pageOf: "Page {page} of {pages}",
  },
};
