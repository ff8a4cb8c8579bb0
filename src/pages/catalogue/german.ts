// The hosted pages in German.
import type { Catalogue } from "./texts.ts";

export const german: Catalogue = {
  language: "de",
  texts: {
    somePartner: "die Organisation, die Sie eingeladen hat",
    testData: "Test",

    lead: "Sie lesen kurze Aussagen und geben an, wie sehr jede zutrifft.",
    statementCount: { one: "{count} Aussage", other: "{count} Aussagen" },
    duration: { one: "Etwa {count} Minute", other: "Etwa {count} Minuten" },
    savedAsYouGo: "Laufend gespeichert: Sie können jederzeit aufhören und mit demselben Link weitermachen",
    noWrongAnswers: "Kein Richtig oder Falsch: Der erste Gedanke ist meist der beste",
    partsHeading: "Zwei Blicke auf Ihr Leben",
    parts: "Jede Aussage kommt in jedem Teil einmal vor. Nur der Satzanfang ist ein anderer:",
    useHeading: "Was mit Ihren Antworten geschieht",
    use: "Aus Ihren Antworten wird ein Ergebnis berechnet. Das Ergebnis erhält {partner}. Sonst gibt dieser Dienst nichts weiter.",
    comparison: "Ihre Antworten helfen außerdem, ohne Ihren Namen, Vergleichswerte für alle zu bilden.",
    comparisonLink: "Mehr über Vergleichswerte",
    cookie: "Ein Cookie merkt sich auf diesem Gerät, wie weit Sie sind. Es gibt kein Tracking.",
    start: "Los geht’s",
    welcomeBack: "Willkommen zurück",
    resumed: "Sie haben {given} von {total} Aussagen beantwortet.",
    remaining: { one: "Noch etwa {count} Minute.", other: "Noch etwa {count} Minuten." },
    resume: "Dort weitermachen, wo Sie aufgehört haben",
    allAnswered: "Sie haben alle Aussagen beantwortet. Noch ein letzter Blick, dann sind Sie fertig.",
    toReview: "Prüfen und abschließen",

    skipToContent: "Zu den Aussagen springen",
    part: "Teil {part} von {parts}",
    pageOf: "Seite {page} von {pages}",
    progress: "{given} von {total} beantwortet",
    newPart: "Ein neuer Teil beginnt: Der Satzanfang ist jetzt ein anderer.",
    next: "Weiter",
    back: "Zurück",
    missingAnswer: "Bitte wählen Sie eine Antwort.",
    missingOnPage: "Diese Aussagen sind noch ohne Antwort:",
    goOnWithout: "Ohne Antwort weiter",
    errorPrefix: "Noch ohne Antwort:",
    savedOnNext: "Ihre Antworten werden gespeichert, wenn Sie „Weiter“ oder „Zurück“ drücken.",
    saving: "Speichern …",
    saved: "Gespeichert",
    notSaved:
      "Noch nicht gespeichert – wir versuchen es weiter. Machen Sie ruhig weiter und lassen Sie die Seite offen.",
    savedAgain: "Jetzt ist wieder alles gespeichert.",
    outOfDate: "Diese Seite ist veraltet. Die letzten Antworten sind deshalb nicht gespeichert.",
    reload: "Seite neu laden",

    review: "Fast geschafft",
    reviewMissing: "Bevor Sie abschließen",
    missingCount: {
      one: "{count} Aussage ist noch ohne Antwort",
      other: "{count} Aussagen sind noch ohne Antwort",
    },
    missingHelp: "Zum Abschließen fehlen nur noch diese.",
    moreMissing: { one: "und {count} weitere", other: "und {count} weitere" },
    answerMissing: "Jetzt beantworten",
    complete: "Sie haben alle {total} Aussagen beantwortet.",
    finishHelp:
      "Wenn Sie abschließen, lassen sich Ihre Antworten nicht mehr ändern. Danach übernimmt wieder {partner}.",
    finishThenResults:
      "Wenn Sie abschließen, lassen sich Ihre Antworten nicht mehr ändern. Danach können Sie Ihre Ergebnisse ansehen und weiter zu {partner} gehen.",
    finish: "Abschließen",
    finishing: "Wird abgeschlossen …",
    lookThrough: "Ihre Antworten durchsehen",
    noAnswer: "Noch keine Antwort",
    change: "Ändern",

    doneTitle: "Geschafft. Vielen Dank!",
    done: "Ihre Antworten sind vollständig. Hier ist nichts weiter zu tun.",
    continueTo: "Weiter zu {partner}",
    continueOn: "Weiter",
    seeResults: "Ihre Ergebnisse ansehen",
    resultsWait: "Ihre Ergebnisse sind da. Sie können sie ansehen, bevor Sie weitergehen.",
    supportTitle: "Wenn Sie etwas davon belastet",

    unknownLinkTitle: "Diesen Link kennen wir nicht",
    unknownLink:
      "Bitte prüfen Sie, ob der Link vollständig ist, oder bitten Sie die Organisation, die Sie eingeladen hat, um einen neuen.",
    expiredLinkTitle: "Dieser Link gilt nicht mehr",
    expiredLink:
      "Links gelten nur eine begrenzte Zeit, und nur, bis es einen neueren gibt. Bitte öffnen Sie den neuesten, oder bitten Sie die Organisation, die Sie eingeladen hat, um einen neuen.",
    noBrowserSessionTitle: "Bitte öffnen Sie Ihren Link noch einmal",
    noBrowserSession:
      "Zum Schutz Ihrer Antworten öffnet sich diese Seite nur über Ihren eigenen Link. Er bringt Sie dorthin zurück, wo Sie aufgehört haben.",
    noReportBrowserSessionTitle: "Bitte öffnen Sie Ihren Link noch einmal",
    noReportBrowserSession:
      "Damit Ihre Ergebnisse privat bleiben, öffnet sich diese Seite nur über Ihren eigenen Link.",
    cancelledSessionTitle: "Sie müssen nichts weiter tun",
    cancelledSession:
      "Die Organisation, die Sie eingeladen hat, hat diesen Fragebogen geschlossen. Er nimmt keine Antworten mehr an. Bei Fragen wenden Sie sich bitte an sie.",
    expiredSessionTitle: "Die Zeit für diesen Fragebogen ist vorbei",
    expiredSession:
      "Er nimmt jetzt keine Antworten mehr an. Wenn Sie noch teilnehmen möchten, bitten Sie die Organisation, die Sie eingeladen hat, um mehr Zeit.",
    nothingHereTitle: "Hier ist nichts",
    nothingHere:
      "Vielleicht enthält die Adresse einen Tippfehler. Ihr Link bringt Sie dorthin zurück, wo Sie aufgehört haben.",
    notAcceptedTitle: "Bitte versuchen Sie es noch einmal",
    notAccepted:
      "Zu Ihrer Sicherheit wurde dieses Formular nicht angenommen; vielleicht war es zu lange offen. Was gespeichert war, ist sicher.",
    invalidTitle: "Das hat nicht geklappt",
    invalid:
      "Was gesendet wurde, passt nicht zu dieser Seite. Es wurde nichts geändert, und was gespeichert war, ist sicher.",
    tooManyTitle: "Einen Moment bitte",
    tooMany:
      "Das waren zu viele Anfragen in kurzer Zeit. Was gespeichert ist, ist sicher; bitte versuchen Sie es in einer Minute noch einmal.",
    unavailableTitle: "Wir sind gleich wieder da",
    unavailable:
      "Der Dienst ist gerade nicht erreichbar. Was gespeichert ist, ist sicher; bitte versuchen Sie es in einer Minute noch einmal.",
    defectTitle: "Bei uns ist etwas schiefgegangen",
    defect: "Das tut uns leid. Was gespeichert ist, ist sicher; bitte versuchen Sie es noch einmal.",
    requestNumber: "Wenn Sie um Hilfe bitten, sagt uns diese Nummer, was geschehen ist:",
    tryAgain: "Noch einmal versuchen",
    toStart: "Zur Startseite",
  },
};
