// What is written on leading values in German.
import type { ReportPortrait } from "../report-model.ts";

export const germanPortraits: Readonly<Record<string, ReportPortrait>> = {
  "Free Thinking": {
    high: "Sie durchdenken die Dinge gern selbst, und eine fertige Antwort genügt Ihnen selten. Die Neugier zieht Sie weiter, auch wo niemand danach fragt.",
    cost: "Das braucht Zeit und kann Menschen ermüden, die eine Sache lieber abschließen und weitergehen.",
    question: "Welcher Frage würden Sie gern nachgehen, einfach weil sie Sie reizt?",
  },
  Independence: {
    high: "Sie möchten selbst entscheiden, wie Ihre Tage verlaufen und was Sie übernehmen. Ein Plan, den andere für Sie machen, wird Ihnen schnell eng.",
    cost: "Hilfe anzunehmen fällt schwerer, und gemeinsame Pläne brauchen mehr Gespräch.",
    question: "Wo ließen Sie gern jemand anderen entscheiden, und wo auf keinen Fall?",
  },
  Novelty: {
    high: "Neue Orte, neue Aufgaben und ein wenig Risiko machen Sie wach. Läuft alles von selbst, sehen Sie sich nach etwas anderem um.",
    cost: "Was Geduld und Wiederholung braucht, bekommt weniger von Ihnen, und es gibt mehr Anfänge als Abschlüsse.",
    question: "Was haben Sie schon länger nicht mehr zum ersten Mal getan?",
  },
  Enjoyment: {
    high: "Sie bemerken, was gerade gut ist: Essen, Wärme, Musik, eine freie Stunde. Das Leben will für Sie nicht nur bewältigt, sondern auch gekostet werden.",
    cost: "Was sich erst später auszahlt, hat es schwer gegen das, was heute schön ist.",
    question: "Was genießen Sie am meisten, das fast nichts kostet, und wann gab es das zuletzt?",
  },
  Accomplishment: {
    high: "Sie möchten gut sein in dem, was Sie tun, und es darf gesehen werden. Ein klares Ziel gibt Ihnen Kraft.",
    cost: "Ein Tag ohne Ergebnis kann sich vertan anfühlen, und Ruhe will erst verdient sein.",
    question: "Welcher Ihrer Erfolge würde für Sie auch zählen, wenn niemand je davon erführe?",
  },
  Influence: {
    high: "Sie haben gern die Hand am Steuer. Wo etwas treibt, greifen Sie ein und sagen, wohin es geht.",
    cost: "Wer vorangeht, trägt auch die Vorwürfe und hört weniger ehrlichen Widerspruch.",
    question: "Was möchten Sie in Gang bringen, und wem täte es gut?",
  },
  "Material Means": {
    high: "Geld und gute Dinge bedeuten Spielraum: Sie können damit wählen, geben und Ihre Umgebung gestalten.",
    cost: "Verdienen und Bewahren kosten Stunden und Aufmerksamkeit, und wann es genug ist, sagt einem niemand.",
    question: "Was macht Geld für Sie möglich, das Sie am meisten vermissen würden?",
  },
  "Good Standing": {
    high: "Ihnen liegt daran, wie Sie wirken und dass man Sie achten kann. Sie geben auf Ihren Namen acht.",
    cost: "Eine Schwäche zu zeigen oder vor anderen die Meinung zu ändern fällt Ihnen schwer.",
    question: "Vor wem dürfen Sie sich von Ihrer ungünstigsten Seite zeigen, ohne dass es Sie etwas kostet?",
  },
  "Personal Safety": {
    high: "Sie denken voraus und sorgen dafür, dass Ihnen und den Ihren nichts zustößt. Ruhe kehrt ein, wenn die Tür abgeschlossen und alles geregelt ist.",
    cost: "Vorsicht hält auch manches fern, das gut gegangen wäre.",
    question: "Was gibt Ihnen das Gefühl von Sicherheit, und wie viel davon ist genug?",
  },
  "Social Stability": {
    high: "Sie wünschen sich ein Land und ein Gemeinwesen, die zusammenhalten und auf die Verlass ist. Ordnung lässt alle anderen in Ruhe ihr Leben führen.",
    cost: "Gesellschaftlicher Wandel kann wie ein Schaden aussehen, bevor er gezeigt hat, was er ist.",
    question: "Für welchen Teil der Ordnung um Sie herum würden Sie selbst eintreten?",
  },
  Heritage: {
    high: "Bräuche, Geschichten und Feste verbinden Sie mit denen, die vor Ihnen da waren. Manches tun Sie gern so, wie es schon lange getan wird.",
    cost: "Überliefertes kann drücken, Sie selbst und alle, die es anders halten möchten.",
    question: "Welchen Brauch möchten Sie weitergeben, und welcher darf mit Ihnen enden?",
  },
  "Rule Respect": {
    high: "Eine Abmachung gilt für Sie, auch wenn niemand zusieht. Sie tun, was Ihr Platz von Ihnen verlangt.",
    cost: "Wo eine Regel keinen Sinn mehr hat, halten Sie sie vielleicht länger ein, als irgendwem guttut.",
    question: "Welche Regel halten Sie gern ein, und welche nur, weil es sie gibt?",
  },
  Consideration: {
    high: "Sie spüren, was verletzen oder stören könnte, und nehmen die Schärfe heraus, bevor es so weit ist. In Ihrer Nähe hat man es leicht.",
    cost: "Der eigene Ärger bleibt ungesagt, und mancher Streit kommt später und größer.",
    question: "Was haben Sie zuletzt für sich behalten, um jemanden zu schonen?",
  },
  Modesty: {
    high: "Sie sehen sich als einen Menschen unter vielen und überlassen anderen ohne Bedauern die Bühne. Lob freut Sie, aber Sie suchen es nicht.",
    cost: "Was Ihnen gut gelingt, bleibt leicht ungesehen, und andere ernten den Dank.",
    question: "Wer weiß, was Sie beitragen, und wem täte es gut, davon zu hören?",
  },
  Reliability: {
    high: "Ihr Wort gilt. Wer Ihnen nahesteht, weiß, dass Sie kommen, wenn Sie es gesagt haben.",
    cost: "Auf wen man sich verlassen kann, auf den verlässt man sich auch, und ein Nein kommt spät.",
    question: "Welches Versprechen gäben Sie heute wieder, und welches nicht?",
  },
  Caring: {
    high: "Die Menschen, die Ihnen nahestehen, kommen in Ihren Gedanken zuerst. Sie merken, wenn es jemandem nicht gut geht, und tun etwas.",
    cost: "Die eigene Müdigkeit ist leicht zu übersehen, und Hilfe kann zur Gewohnheit werden, um die niemand gebeten hat.",
    question: "Wer sorgt für Sie, und lassen Sie es zu?",
  },
  Fairness: {
    high: "Ungleiche Behandlung lässt Sie nicht kalt, auch wenn sie Sie nicht betrifft. Alle sollen dieselben Chancen und denselben Schutz haben.",
    cost: "Es gibt mehr Unrecht, als ein Mensch richten kann, und zuzusehen schmerzt.",
    question: "An welcher kleinsten Stelle können Sie etwas gerechter machen?",
  },
  Nature: {
    high: "Tiere, Pflanzen und Landschaften sind für Sie um ihrer selbst willen zu schützen. Draußen kommen Sie zu Kräften.",
    cost: "Das Bequeme hat oft ein schlechtes Gewissen im Gepäck, und vieles liegt nicht in Ihrer Hand.",
    question: "Welches Stück Natur ist Ihres, um das Sie sich kümmern?",
  },
  Acceptance: {
    high: "Sie möchten Menschen verstehen, die anders leben und denken, bevor Sie urteilen. Unterschiede machen Sie neugierig.",
    cost: "Bis Sie klar Stellung beziehen, dauert es länger, und manche hätten Sie gern auf ihrer Seite.",
    question: "Wessen Sicht würden Sie gern besser verstehen, obwohl Sie sie nicht teilen?",
  },
};
