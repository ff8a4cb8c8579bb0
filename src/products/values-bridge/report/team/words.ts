// The texts of team reports, in English and German.
import type { Plural } from "../../../../kernel/presentation/phrases.ts";

export interface TeamTexts {
  readonly neutralHead: string;
  readonly title: string;
  readonly people: Plural;
  readonly introduction: string;
  readonly closed: string;
  readonly pictureIntroduction: string;
  readonly pictureDescription: string;
  readonly legendWanted: string;
  readonly legendToday: string;
  readonly legendRoom: string;
  readonly legendOver: string;
  readonly legendSpread: string;
  readonly wantsTitle: string;
  readonly wantsNote: string;
  readonly wantsNone: string;
  readonly gapsTitle: string;
  readonly gapsNote: string;
  readonly gapsNone: string;
  readonly moreWanted: string;
  readonly moreLived: string;
  readonly agreeTitle: string;
  readonly agreeNote: string;
  readonly agreeNone: string;
  readonly spreadTitle: string;
  readonly spreadNote: string;
  readonly spreadNone: string;
  readonly spreadOf: string;
  readonly archetypesTitle: string;
  readonly archetypesNote: string;
  readonly archetypeCount: string;
  readonly readingTitle: string;
  readonly readingMeans: string;
  readonly readingCentred: string;
  readonly readingChance: string;
  readonly readingUse: string;
  readonly withheld: string;
}

const english: TeamTexts = {
  neutralHead: "Report on the values of a group",
  title: "What we want, and what we live",
  people: { one: "{count} person", other: "{count} people" },
  introduction: "{people} of this group rated statements about the life they want and the life they have.",
  closed: "The group was closed on {date}; these numbers are final.",
  pictureIntroduction:
    "Each petal is a value. The dashed ring is what people want on average, over all values. The line is how much the group wants this value, the filled part how much it lives it. The thin line shows how far apart people are in what they want.",
  pictureDescription: "A circle of {count} values with the means of the group.",
  legendWanted: "wanted, on average",
  legendToday: "lived, on average",
  legendRoom: "higher in wishes than in life",
  legendOver: "higher in life than in wishes",
  legendSpread: "how far apart wishes are",
  wantsTitle: "What this group wants most",
  wantsNote: "Wanted more than people’s own average, beyond chance.",
  wantsNone: "No value stands out beyond chance.",
  gapsTitle: "Where life and wishes differ for the group",
  gapsNote: "A step is one point of the answer scale.",
  gapsNone: "No difference stands out beyond chance.",
  moreWanted: "{steps} steps more wanted",
  moreLived: "{steps} steps more lived",
  agreeTitle: "Where people are close",
  agreeNote: "Their wishes differ less here than in other values.",
  agreeNone: "In no value are wishes clearly closer than in others.",
  spreadTitle: "Where people are far apart",
  spreadNote: "Their wishes differ more here than in other values. A good place to start talking.",
  spreadNone: "In no value are wishes clearly further apart than in others.",
  spreadOf: "{steps} steps around the mean",
  archetypesTitle: "Archetypes in this group",
  archetypesNote: "Only those that five people or more have.",
  archetypeCount: "{count} of {total}",
  readingTitle: "How to read this page",
  readingMeans: "These are means: no person is named or counted alone.",
  readingCentred:
    "What people want is compared with their own average, so that those who rate everything highly weigh no more.",
  readingChance:
    "“Beyond chance” is judged for all values together; a gap stands out from the others by half a step at least.",
  readingUse: "This is a start for a conversation, and no ground for decisions about anybody.",
  withheld: "Not shown because everybody answered alike: {values}.",
};

const german: TeamTexts = {
  neutralHead: "Bericht zu den Werten einer Gruppe",
  title: "Was wir uns wünschen und was wir leben",
  people: { one: "{count} Person", other: "{count} Personen" },
  introduction:
    "{people} dieser Gruppe haben Aussagen zu dem Leben bewertet, das sie sich wünschen, und zu dem, das sie führen.",
  closed: "Die Gruppe wurde am {date} geschlossen; diese Zahlen sind endgültig.",
  pictureIntroduction:
    "Jedes Blütenblatt ist ein Wert. Der gestrichelte Ring zeigt, was sich die Menschen im Durchschnitt aller Werte wünschen. Die dicke Linie zeigt, wie sehr die Gruppe sich diesen Wert wünscht, die gefüllte Fläche, wie sehr sie ihn lebt. Die dünne Linie zeigt, wie weit die Wünsche auseinanderliegen.",
  pictureDescription: "Ein Kreis aus {count} Werten mit den Mittelwerten der Gruppe.",
  legendWanted: "gewünscht, im Mittel",
  legendToday: "gelebt, im Mittel",
  legendRoom: "in den Wünschen höher als im Leben",
  legendOver: "im Leben höher als in den Wünschen",
  legendSpread: "wie weit die Wünsche auseinanderliegen",
  wantsTitle: "Was sich diese Gruppe am meisten wünscht",
  wantsNote: "Über den Zufall hinaus mehr gewünscht, als es dem eigenen Durchschnitt der Personen entspricht.",
  wantsNone: "Kein Wert hebt sich über den Zufall hinaus ab.",
  gapsTitle: "Wo Leben und Wünsche der Gruppe auseinandergehen",
  gapsNote: "Eine Stufe ist ein Punkt der Antwortskala.",
  gapsNone: "Kein Unterschied hebt sich über den Zufall hinaus ab.",
  moreWanted: "{steps} Stufen mehr gewünscht",
  moreLived: "{steps} Stufen mehr gelebt",
  agreeTitle: "Wo die Menschen nah beieinander sind",
  agreeNote: "Ihre Wünsche unterscheiden sich hier weniger als bei anderen Werten.",
  agreeNone: "Bei keinem Wert liegen die Wünsche deutlich näher beieinander als bei anderen.",
  spreadTitle: "Wo die Menschen weit auseinander sind",
  spreadNote: "Ihre Wünsche unterscheiden sich hier mehr als bei anderen Werten. Ein guter Anfang für ein Gespräch.",
  spreadNone: "Bei keinem Wert liegen die Wünsche deutlich weiter auseinander als bei anderen.",
  spreadOf: "{steps} Stufen um das Mittel",
  archetypesTitle: "Archetypen in dieser Gruppe",
  archetypesNote: "Nur solche mit fünf oder mehr Personen.",
  archetypeCount: "{count} von {total}",
  readingTitle: "Wie diese Seite zu lesen ist",
  readingMeans: "Dies sind Mittelwerte: Niemand wird genannt oder allein gezählt.",
  readingCentred:
    "Was sich die Menschen wünschen, wird mit ihrem eigenen Durchschnitt verglichen. Wer alles hoch bewertet, zählt so nicht mehr als andere.",
  readingChance:
    "„Über den Zufall hinaus“ gilt für alle Werte zusammen; ein Unterschied hebt sich um eine halbe Stufe von den übrigen ab.",
  readingUse: "Dies ist ein Anfang für ein Gespräch und keine Grundlage für Entscheidungen über jemanden.",
  withheld: "Nicht gezeigt, weil alle gleich geantwortet haben: {values}.",
};

/** The texts of a language that reports are written in. @param tag BCP 47 tag */
export function teamTextsOf(tag: string): TeamTexts {
  return tag === "de" ? german : english;
}
