// Reports in German.
import type { ReportCatalogue } from "./texts.ts";

export const german: ReportCatalogue = {
  language: "de",
  formats: "de",
  texts: {
    neutralHead: "Bericht zu Ihren Werten",
    somePartner: "Die Organisation, die Sie eingeladen hat,",

    ratedOn:
      "Am {date} haben Sie {statements} zu dem Leben bewertet, das Sie sich wünschen, und zu dem, das Sie führen.",
    rated: "Sie haben {statements} zu dem Leben bewertet, das Sie sich wünschen, und zu dem, das Sie führen.",
    statements: { one: "{count} Aussage", other: "{count} Aussagen" },
    statementsOf: "{given} von {total} Aussagen",
    showsAnswers: "Dieser Bericht zeigt, was Sie gesagt haben. Kein Ergebnis ist gut oder schlecht.",

    summaryTitle: "Kurz gesagt",
    wantLead: "Weit vorn bei dem, was Sie sich für Ihr Leben wünschen: {values}.",
    wantHigh: "Unter Ihren höchsten Bewertungen für das Leben, das Sie sich wünschen: {values}.",
    wantHighToo: "Ebenfalls hoch: {values}.",
    orderOpen: "Was davon zuerst kommt, lassen Ihre Antworten offen.",
    wantMore: "Davon wünschen Sie sich mehr, als Sie heute leben: {values}.",
    liveMore: "Für heute haben Sie {values} höher bewertet als für das Leben, das Sie sich wünschen.",
    silenceEqual:
      "Für das Leben, das Sie sich wünschen, haben Sie alle Werte gleich bewertet. Deshalb hat dieser Bericht keine ersten Plätze, keine Paare und keine Fragen.",
    silenceFew:
      "Zu {scored} von {total} Werten gibt es genug Antworten für das Leben, das Sie sich wünschen. Für einen Vergleich sind das zu wenige. Deshalb hat dieser Bericht keine ersten Plätze, keine Paare und keine Fragen.",
    silenceGrade: "Deshalb zeigt dieser Bericht nur Ihre Antworten und leitet nichts aus ihnen ab.",
    storedOnly:
      "Diese Ergebnisse hat eine frühere Version gespeichert. Der Bericht listet die Plätze und Unterschiede von damals auf. Für Bilder und Sätze ist zu wenig gespeichert.",

    flagLongestRun: "An einer Stelle haben Sie {count}-mal hintereinander dieselbe Bewertung gegeben.",
    flagSpread: "Die meisten Ihrer Bewertungen liegen auf der Skala nah beieinander.",
    flagOpposites: "Aussagen, die Gegenteiliges sagen, haben Sie kaum gegensätzlich bewertet.",
    flagConsistency: "Ihre Antworten unterscheiden kaum zwischen den Werten.",
    flagSecondBlock:
      "Ihre Antworten im zweiten Teil unterscheiden kaum zwischen den Werten; die im ersten Teil tun es deutlicher.",
    flagSpeed: "Ihre Antworten kamen rasch: im Schnitt alle {seconds} Sekunden eine.",
    flagSpeedFail: "Ihre Antworten kamen schneller, als sich Aussagen lesen lassen.",

    archetypeOpen: "Für einen der Archetypen sind es zu wenige Antworten zu Ihrem Leben heute.",
    archetypeFocused:
      "Die Werte, die Sie sich am meisten wünschen, zeigen in eine Richtung. Für diese beiden Dinge steht der Name; einen Menschentyp bezeichnet er nicht.",
    archetypePlural:
      "Die Werte, die Sie sich am meisten wünschen, zeigen in mehrere Richtungen. Für diese beiden Dinge steht der Name; einen Menschentyp bezeichnet er nicht.",
    apart:
      "Im Schnitt liegen Ihre Bewertungen für das gewünschte Leben und für heute {steps} der Antwortskala auseinander; was Sie sich mehr wünschen, zählt dabei mehr.",
    apartByChance: "Allein der Zufall ergäbe etwa {steps}.",
    between: "Zwischen „{one}“ und „{other}“",
    betweenDistances: "Ihre Antworten lassen offen, wie weit die beiden Leben wirklich auseinanderliegen.",
    betweenDirections:
      "Ihre Antworten lassen offen, ob die Werte, die Sie sich am meisten wünschen, in eine Richtung zeigen oder in mehrere.",
    betweenBoth:
      "Ihre Antworten lassen offen, wie weit das Leben, das Sie sich wünschen, und Ihr Leben heute auseinanderliegen. Sie lassen auch offen, ob Ihre Wünsche in eine Richtung zeigen oder in mehrere.",
    betweenNames:
      "Ein paar etwas andere Antworten hätten zu jedem der beiden Namen führen können. Keiner von ihnen bezeichnet einen Menschentyp.",
    betweenFour: "Zwischen vier Archetypen",
    betweenFourNames:
      "Ein paar etwas andere Antworten hätten zu jedem dieser Namen führen können. Keiner von ihnen bezeichnet einen Menschentyp.",
    meaningBelow: "Die beiden Leben liegen im Schnitt weniger als {below} auseinander,",
    meaningWithin: "Die beiden Leben liegen im Schnitt {from} bis {below} auseinander,",
    meaningFrom: "Die beiden Leben liegen im Schnitt {from} oder mehr auseinander,",
    meaningFocused: "und die Wünsche zeigen in eine Richtung.",
    meaningPlural: "und die Wünsche zeigen in mehrere Richtungen.",

    circleTitle: "Ihr Kreis der Werte",
    circleIntroduction:
      "Jedes Blütenblatt ist ein Wert. Die Linie zeigt, wie sehr Sie ihn sich wünschen, die gefüllte Fläche, wie sehr Sie ihn heute leben. Nachbarn ziehen in dieselbe Richtung, gegenüberliegende Werte auseinander.",
    circleEnds: "Mitte: „{lowest}“. Rand: „{highest}“.",
    circleBold: "Fett: was Sie sich am meisten wünschen.",
    circleRanks:
      "Die Zahlen sind Plätze in dem Leben, das Sie sich wünschen; die Namen dazu stehen in der Tabelle unten.",
    circleDescription: "Ein Kreis aus {count} Werten.",
    legendWanted: "das Leben, das Sie sich wünschen",
    legendToday: "Ihr Leben heute",
    legendRoom: "Raum für mehr",
    legendOver: "mehr gelebt als gewünscht",
    legendError: "was Ihre Antworten offenlassen",
    legendMissing: "zu wenige Antworten",

    mostWantedTitle: "Was Sie sich am meisten wünschen",
    mostWantedNote:
      "Die Werte, die Sie für das gewünschte Leben am höchsten bewertet haben. Ihre Reihenfolge hier besagt wenig.",
    portraitsNote:
      "Zu jedem Wert, der weit vorn steht: was bei Menschen, die ihn so bewerten wie Sie, oft so ist, was es mit sich bringen kann, und eine Frage. Was Sie tun, steht hier nicht; sehen Sie selbst, was passt.",
    livedLess: "Für das gewünschte Leben {steps} höher bewertet als für heute.",
    livedMore: "Für heute {steps} höher bewertet als für das gewünschte Leben.",
    livedAsWanted: "Wo nichts zu heute steht, zeigen Ihre Antworten keinen deutlichen Unterschied.",
    livedUnknown: "Zu wenige Antworten zu Ihrem Leben heute.",
    closeBehind: "Dicht dahinter: {values}.",

    differencesTitle: "Leben und Wünsche, Wert für Wert",
    differencesNote:
      "Eine Stufe ist ein Punkt der Antwortskala. Unterschiede von weniger als {steps} Stufen können Zufall sein und werden nicht genannt.",
    differencesCertain:
      "Eine Stufe ist ein Punkt der Antwortskala. Ein Unterschied wird genannt, wenn er mindestens {steps} Stufen beträgt und sich von der Streuung Ihrer Antworten abhebt.",
    differencesUnsorted:
      "Eine Stufe ist ein Punkt der Antwortskala. Bei Ihren Antworten lassen sich Unterschiede nicht vom Zufall trennen. Deshalb stehen die Werte in der Reihenfolge des Kreises.",
    differencesStored: "Eine Stufe ist ein Punkt der Antwortskala.",
    groupWantMore: "Davon wünschen Sie sich mehr",
    groupLiveMore: "Für heute höher bewertet als für das gewünschte Leben",
    groupAsWanted: "Kein deutlicher Unterschied",
    groupTooFewAnswers: "Zu wenige Antworten",
    groupUnsorted: "Alle Werte",
    columnValue: "Wert",
    columnPicture: "Gewünscht und heute",
    columnDifference: "Unterschied",
    averages: "gewünscht {ideal}, heute {current}",
    averageIdeal: "gewünscht {ideal}, heute nicht bekannt",
    averageCurrent: "gewünscht nicht bekannt, heute {current}",
    averageNone: "nicht bekannt",
    places: "gewünscht: Platz {ideal} ({idealTier}), heute: Platz {current} ({currentTier})",
    placeIdeal: "gewünscht: Platz {ideal} ({idealTier})",
    placeCurrent: "heute: Platz {current} ({currentTier})",
    placeNone: "kein Platz",
    rank: "Platz {rank}",
    step: { one: "{count} Stufe", other: "{count} Stufen" },
    moreWanted: "{steps} mehr gewünscht",
    moreToday: "für heute {steps} höher",
    leaning: "{difference}, kann Zufall sein",
    noStep: "gleich",
    inverse: "(zählt umgekehrt)",
    statementsBehind: "Die Aussagen dahinter",

    pairsTitle: "Was zusammenpasst und was auseinanderzieht",
    pairsNote: "Paare von Werten: Beide Werte wünschen Sie sich deutlich mehr, als es Ihrem Durchschnitt entspricht.",
    pairsHarmony: "Nah beieinander auf dem Kreis: Sie ziehen in dieselbe Richtung.",
    pairsConflict:
      "Auf gegenüberliegenden Seiten des Kreises: Beides zu wollen ist kein Widerspruch, verlangt aber hin und wieder eine Entscheidung.",
    questionsTitle: "Fragen zum Mitnehmen",
    questionMore: "Wann hatten Sie zuletzt einen Tag mit mehr „{value}“ als sonst? Was hat das möglich gemacht?",
    questionLess: "Woher kommt zurzeit so viel „{value}“? Wovon hätten Sie gern weniger?",
    questionConflict:
      "Denken Sie an eine Entscheidung, bei der {one} und {other} beide zählten. Was kam zuerst, und wie ging es Ihnen damit?",
    changeTitle: "Seit dem letzten Mal",
    changeNote:
      "Verglichen mit Ihren Antworten vom {date}. Genannt sind Veränderungen, in denen die Aussagen zu einem Wert übereinstimmen; auch eine Stimmung kann das bewirken.",
    changeWantedUp: "{value}: {steps} mehr gewünscht als damals.",
    changeWantedDown: "{value}: {steps} weniger gewünscht als damals.",
    changeTodayUp: "{value}: {steps} mehr gelebt als damals.",
    changeTodayDown: "{value}: {steps} weniger gelebt als damals.",
    supportTitle: "Wenn Sie etwas davon belastet",

    readingTitle: "Wie dieser Bericht zu lesen ist",
    readingOwn: "Er beruht allein auf Ihren eigenen Antworten und vergleicht Sie mit niemandem.",
    readingChance:
      "Jeder Wert stützt sich auf wenige Aussagen je Leben. An einem anderen Tag fielen manche Antworten anders aus. Kleine Unterschiede und benachbarte Plätze besagen deshalb wenig.",
    readingCaution: "Lesen Sie kleine Unterschiede mit mehr Vorsicht.",
    readingNumbers: "Zahlen von {min} bis {max} sind Durchschnitte auf der Skala, auf der Sie geantwortet haben.",
    readingWorth:
      "Werte sind weder gut noch schlecht. Das gilt auch für solche, die Sie sich weniger wünschen als die übrigen.",
    readingDecisions: "Dies ist keine Diagnose und keine Grundlage für Entscheidungen, die jemand über Sie trifft.",
    source:
      "Die Aussagen wurden geschrieben, um die Werte der verfeinerten Theorie der Grundwerte (Schwartz et al. 2012) zu messen. Ob sie das tun, ist noch nicht geprüft. Sie sind unsere eigenen; die Autorinnen und Autoren der Theorie haben sie nicht geprüft.",
    translationDraft:
      "Die Aussagen auf {language} sind der Entwurf einer Übersetzung: Noch hat niemand geprüft, ob sie dasselbe sagen wie die ursprünglichen.",
    translationReconciled:
      "Die Aussagen auf {language} sind eine Übersetzung, auf die sich zwei Personen geeinigt haben; geprüft hat sie noch niemand.",
    translationTested:
      "Die Aussagen auf {language} sind eine Übersetzung, die mit Menschen erprobt wurde; ob sie dasselbe misst, haben noch keine Daten gezeigt.",
    oneLanguage:
      "Vergleichen Sie diese Ergebnisse nicht mit denen von Menschen, die in einer anderen Sprache geantwortet haben.",
    version: "Fassung {version} des Fragebogens.",
    sharing: "{partner} hat diese Ergebnisse, ebenso alle, die Ihren Link haben.",
    linkEnds: "Der Link gilt bis {date}.",
    sharingAlone: "{partner} hat diese Ergebnisse ebenfalls.",
    pageEnds: "Auf diesem Gerät bleibt die Seite bis {date} geöffnet.",
    savePdf: "Als PDF speichern",
    savePoster: "Als Poster",
    testData: "Testdaten",
    pageOf: "Seite {page} von {pages}",
  },
};
