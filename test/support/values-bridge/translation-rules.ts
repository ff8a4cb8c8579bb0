// The rules of good statements in each language, as far as a program can hold them. What it cannot is in docs/instrument.md.

/** What no statement says, and one that does. */
export type WordRule = readonly [name: string, pattern: RegExp, fault: string];

export interface StatementRules {
  readonly language: string;
  /** A main clause: the verb near the front, no full stop; a capital, but in English. */
  readonly clause: RegExp;
  /** Words by which a statement speaks of the person who answers. */
  readonly own: RegExp;
  readonly words: readonly WordRule[];
  /** The verb of an inverse statement, cut to what all its forms have. */
  readonly verb: (predicate: string) => string;
  /** Words that may stand in many statements, and verbs that may stand in a quarter of them. */
  readonly plain: string;
  readonly plainVerbs: string;
}

export interface LanguageRules extends StatementRules {
  /** The polite form of address; `familiar` is the other one. */
  readonly polite: RegExp;
  readonly familiar: RegExp;
}

const wordAfterSubject = (subject: RegExp) => (predicate: string) =>
  predicate
    .toLowerCase()
    .replace(subject, "")
    .match(/^\p{L}+/u)?.[0] ?? "";

export const englishRules: StatementRules = {
  language: "en",
  clause: /^(?:I|[a-z]+)(?:,? (?:I|[a-z]+(?:'[a-z]+)?(?:-[a-z]+)*))+$/,
  own: /\b(?:I|me|my|mine)\b/,
  words: [
    ["do not repeat the frames", /\b(?:life|today|want)\b/, "I read old books about the life of bees"],
    ["speak of nobody else", /\b(?:he|she|his|her|him)\b/, "I read old books to her sister"],
    ["make one claim", /\b(?:and|or|nor|because|but|cannot|so that)\b/, "I read old books and write new ones"],
    ["say whose group they are about", /\b(?:we|us|our)\b/, "I read the old books that we have"],
    [
      "contain no negation",
      /\b(?:no|none|nobody|nothing|nowhere|neither|not|never|without|anyone|anything)\b|n['’]t\b/,
      "I read old books without pictures of bees",
    ],
    [
      "leave how often to the response scale",
      /\b(?:often|seldom|rarely|hardly|scarcely|sometimes|usually|normally|mostly|frequently|occasionally|regularly|constantly|generally|typically|always|ever|daily|weekly|monthly|yearly)\b/,
      "I often read old books about bees",
    ],
    [
      "tell no feeling instead of a goal",
      /^I (?:enjoy|like|love|hate|prefer|welcome|feel|(?:am|feel) (?:happy|glad|fine|content|proud))\b/,
      "I enjoy old books about the sea",
    ],
    [
      "presuppose nothing bad",
      /\b(?:(?:problem|trouble|mistake|danger|upset)s?|dangerous|fire|ill|illness|sick|harm|risk|unfair|wrong|dull|boring|war|crime|enemy|lose|loss|fail|failure|costs|survive|silly)\b/,
      "I read old books about the war",
    ],
    [
      "use no idiom",
      /heart beat|have a say|stand up for|speak my mind|takes? the lead|make room|my people|in the eyes|stay clear|out of public view|keep an eye|down to earth|as I go|opens? transports|see fit|step by step/,
      "I keep an eye on the bees",
    ],
    [
      "depend on no household, income or belongings",
      /\b(?:family|families|husband|wife|partner|parents?|children|kids|home|house|job|boss|salary|buy|shops?|expensive|trips?|holidays?|hobby|hobbies|car)\b/,
      "I read old books to the children",
    ],
    [
      "presuppose no means: no music, money, garden or town of one's own",
      /\bmy (?:music|money|garden|town|area|savings)\b|\bI own\b|\bplants near me\b/,
      "I read old books in my garden",
    ],
    [
      "depend on no politics, religion, gender or age",
      /\b(?:country|government|leaders?|vote|party|state|god|faith|church|pray|religion|m[ae]n|wom[ae]n|young|younger|older|elders?|ancestors)\b/,
      "I read old books about the government",
    ],
  ],
  verb: (predicate) => wordAfterSubject(/^i /)(predicate).replace(/(?<=..)e?s$/, ""),
  plain:
    "a about after am among an any anyone are as at be been before being but by can could do does each even few for from " +
    "had has have he her his how i if in into is it its just less many me mine more most much my of on once one out own " +
    "s she so some someone something than that the their them these they this those to until up was we were what " +
    "whatever whoever when where which while who whose with would you your",
  plainVerbs: "people others other make keep give let take",
};

const germanVerb = wordAfterSubject(/^ich /);

export const languageRules: readonly LanguageRules[] = [
  {
    language: "de",
    clause: /^(?:Ich [a-zäöüß]+e|Mir gelingt|Andere [a-zäöüß]+en|Menschen, [^,]+, [a-z]+en)(?=[ ,]).*[a-zäöüß]$/,
    own: /\b(?:ich|mir|mich|mein(?:e[mnrs]?)?)\b/i,
    words: [
      ["make one claim", /\b(?:und|oder|weil|aber|sondern|denn)\b/, "Ich lese Bücher und schreibe Briefe"],
      // "So, dass" says in which way; "damit" adds a purpose.
      ["join no second idea as a purpose", /\b(?:damit|sodass|so dass)\b/, "Ich lese Bücher, damit ich viel lerne"],
      [
        "contain no negation",
        /\b(?:nicht|nichts|nie|niemals|niemand\w*|kein\w*|ohne|weder)\b/,
        "Ich lese Bücher ohne bunte Bilder",
      ],
      [
        "leave how often to the response scale",
        /\b(?:immer|stets|oft|häufig|manchmal|selten|meist(?:ens)?|regelmäßig|täglich|jederzeit)\b/,
        "Ich lese häufig Bücher über Bienen",
      ],
      [
        "presuppose no means: no music, money, garden or town of one's own",
        /\bmeine?[mnrs]? (?:Musik|Geld|Garten|Stadt|Ersparnisse|Gegend|Besitz)\b|\bbesitze\b|Pflanzen in meiner Nähe/i,
        "Ich lese Bücher in meinem Garten",
      ],
      [
        "do not repeat the frames",
        /\b(?:leben?|Leben|möchten?|heute|heutig\w*)\b/,
        "Ich lese Bücher über das Leben der Bienen",
      ],
      [
        "name people in words that are true of every gender",
        /[*:]in|Innen\b|\b(?:Freund|Partner|Kolleg|Nachbar|Expert|Chef|Bürger|Verwandte|Mann|Frau)(?!eskreis)\w*/,
        "Ich lese Bücher mit meinen Nachbarn",
      ],
      [
        "presuppose nothing bad",
        /Problem|Fehler|Gefahr|Not\b|Ärger|krank|Streit|langweilig|Risiko|Feuer/,
        "Ich lese Bücher über den Streit",
      ],
      [
        "depend on no household, income, politics or age",
        /Familie|Kinder\b|Eltern|Haus\b|Gehalt|kaufe|Reise|Regierung|Partei|Land\b|Kirche|ältere|jüngere/,
        "Ich lese Bücher über die Regierung",
      ],
    ],
    polite: /\b(?:Sie|Ihre?[mnrs]?|Ihnen)\b/,
    familiar: /\b(?:du|dich|dir|dein\w*)\b/i,
    verb: (predicate) => germanVerb(predicate).replace(/^be(?=komm)|(?<=..)e[nt]?$/g, ""),
    plain:
      "ich mir mich mein meine meinem meinen meiner die der das den dem des was wie wenn damit dass bevor so es sie an auf aus " +
      "bei für in mit nach um von vor zu zum als ist sind bin wurden deren denen alle allem alles menschen andere anderen anderer",
    plainVerbs: "gebe halte lasse mache nehme",
  },
  {
    language: "es",
    clause: /^(?:[A-ZÁÉÍÓÚ]\p{L}*o(?= )|Doy|Me \p{L}+o|La gente|Lo que hago|Otros|Digo)\b.*\p{Ll}$/u,
    own: /(?<!\p{L})(?:yo|me|mí|mis?|mías?|propi[oa]s?)(?!\p{L})|(?:^|\s)\p{L}+o(?= )|^Doy/iu,
    words: [
      ["make one claim", /(?<!\p{L})(?:y|e|o|u|ni|porque|pero|sino|pues)(?!\p{L})/u, "Leo libros y escribo cartas"],
      [
        "contain no negation",
        /(?<!\p{L})(?:no|nunca|jamás|nadie|nada|ningún|ninguna|sin)(?!\p{L})/u,
        "Leo libros sin dibujos",
      ],
      [
        "leave how often to the response scale",
        /siempre|a menudo|a veces|rara vez|con frecuencia|normalmente|cada día/,
        "Leo a menudo libros sobre abejas",
      ],
      [
        "do not repeat the frames",
        /\b(?:vid[ao]s?|vivo|vive\w*|vivir|hoy|dese\p{L}+)\b/u,
        "Leo libros sobre la vida de las abejas",
      ],
      [
        "name people in words that are true of every gender",
        /[@/]|\b(?:amig|compañer|vecin|novi|espos|hij|señor)[oa]s?\b|\b(?:hombre|mujer)(?:es)?\b/,
        "Leo libros con mis vecinos",
      ],
      [
        "presuppose nothing bad",
        /problema|error|peligro|enferm|pelea|aburrid|riesgo|guerra/,
        "Leo libros sobre la guerra",
      ],
      [
        "depend on no household, income, politics or age",
        /familia|hijos|padres|\bcasa|sueldo|compro|viaj|gobierno|partido|país|iglesia|jóvenes/,
        "Leo libros sobre el gobierno",
      ],
    ],
    polite: /\b(?:usted|sus?|su|le|desea|tiene|quiere)\b/i,
    familiar: /\b(?:tú|tus?|te|contigo|vosotros)\b/i,
    verb: wordAfterSubject(/^(?:me |lo )?/),
    plain:
      "a al algo ante antes con como de del donde el en entre es están hasta la las le les lo los me mi mis mí mía mías para por que " +
      "qué quien quienes se sé si son su sus tal tan un una unos uno yo hacia otros otras demás gente personas propia propias propio " +
      "cuando cuyas modo manera alguien cosas mejor mayor cómo está todo toda",
    plainVerbs: "hago hace dejo doy tengo paso",
  },
  {
    language: "fr",
    clause: /^(?:Je |J’|Mes proches |Les (?:gens|autres) ).*\p{Ll}$/u,
    own: /(?<!\p{L})(?:je|j’|me|m’|moi|mon|ma|mes|mien\p{L}*)/iu,
    words: [
      [
        "make one claim",
        /(?<!\p{L})(?:et|ou|car|parce|mais|puis)(?!\p{L})/u,
        "Je lis des livres et j’écris des lettres",
      ],
      [
        "contain no negation",
        /(?<!\p{L})(?:ne|n’|pas|jamais|rien|aucun\p{L}*|sans|ni)(?!\p{L})/u,
        "Je lis des livres sans images",
      ],
      [
        "leave how often to the response scale",
        /toujours|souvent|parfois|rarement|régulièrement|d’habitude|chaque jour/,
        "Je lis souvent des livres sur les abeilles",
      ],
      [
        "do not repeat the frames",
        /(?<!\p{L})(?:vies?|vis|vivre|vit|aujourd’hui|souhait\p{L}+)(?!\p{L})/u,
        "Je lis des livres sur la vie des abeilles",
      ],
      [
        "name people in words that are true of every gender",
        /·|(?<!\p{L})(?:ami|amie|collègue|voisin|voisine|patron|homme|femme|mari|citoyen)s?(?!\p{L})/u,
        "Je lis des livres avec mes voisins",
      ],
      [
        "presuppose nothing bad",
        /problème|erreur|danger|malad|dispute|ennuyeu|risque|guerre/,
        "Je lis des livres sur la guerre",
      ],
      [
        "depend on no household, income, politics or age",
        /famille|enfants|parents|maison|salaire|achète|voyage|gouvernement|parti(?!\p{L})|pays|église|jeunes/u,
        "Je lis des livres sur le gouvernement",
      ],
    ],
    polite: /(?<!\p{L})(?:vous|votre|vos)(?!\p{L})/iu,
    familiar: /(?<!\p{L})(?:tu|te|toi|ton|tes)(?!\p{L})/iu,
    verb: wordAfterSubject(/^(?:je |j’)(?:m’en |m’|me )?/),
    plain:
      "je j m me moi mes mon ma mien miens miennes d l s qu de du des la le les un une à au aux en dans par pour sur avec que qui quoi " +
      "ce ceux celui elles on où dont quand quelqu il ils leur leurs se si est sont soient sois a ont ai ait plus peu bien mieux comme comment de " +
      "même toute tout chaque autres autre gens personnes personne proches propre propres chose choses quelque quelques " +
      "cette jusqu avant vers entre juste",
    plainVerbs: "fais fait font laisse suis donne prends",
  },
  {
    language: "it",
    clause:
      /^(?:\p{Lu}\p{L}*o(?= )|Mi \p{L}+o|Ci tengo|Do|Ho|Sto|Le persone|La gente|Gli altri|Chi|Quello)(?= ).*\p{Ll}$/u,
    own: /(?<!\p{L})(?:io|mi|me|mi[oae]|miei)(?!\p{L})|^(?:Ci )?\p{L}+o(?= )/iu,
    words: [
      [
        "make one claim",
        /(?<!\p{L})(?:e|ed|o|oppure|ma|però|siccome|poiché)(?!\p{L})/u,
        "Leggo libri e scrivo lettere",
      ],
      [
        "contain no negation",
        /(?<!\p{L})(?:non|mai|nulla|niente|nessun\p{L}*|senza|né)(?!\p{L})/u,
        "Leggo libri senza immagini",
      ],
      [
        "leave how often to the response scale",
        /sempre|spesso|a volte|raramente|di solito|ogni giorno/,
        "Leggo spesso libri sulle api",
      ],
      [
        "do not repeat the frames",
        /(?<!\p{L})(?:vit[ae]|vivo|vive\p{L}*|oggi|desider\p{L}+)(?!\p{L})/u,
        "Leggo libri sulla vita delle api",
      ],
      [
        "name people in words that are true of every gender",
        /\*|(?<!\p{L})(?:amic|collegh|vicini di|fidanzat|uomin|donn|marit|mogli)\p{L}*/u,
        "Leggo libri con le donne",
      ],
      ["presuppose nothing bad", /problem|errore|pericol|malat|litig|noios|rischi|guerra/, "Leggo libri sulla guerra"],
      [
        "depend on no household, income, politics or age",
        /famigli|figli|genitori|(?<!\p{L})casa|stipendio|compro|viaggi|governo|partito|paese|chiesa|giovani/u,
        "Leggo libri sul governo",
      ],
    ],
    polite: /(?<!\p{L})(?:Lei|La|Le|Suo|Sua|Suoi|Sue)(?!\p{L})/u,
    familiar: /(?<!\p{L})(?:tu|te|ti|tuo|tua|tuoi|tue)(?!\p{L})/iu,
    verb: wordAfterSubject(/^(?:mi )?/),
    plain:
      "a ad ai al agli alla alle l nel nell nei nella con come che chi ci cui da dal dai dalla davanti degli dei del della delle di dove è " +
      "essere finché gli i il in io la le lo loro me mi mia mie miei mio ne per più prima quando quanto quali quale quello quelli qualcosa " +
      "qualcuno sono so stesso su sul suo sua tra un una uno verso attorno altri altre persone gente cosa cose ogni poco poca poche pochi " +
      "ciò ho bene meglio modo vicine vicino tutta tutte così abbastanza fatto",
    plainVerbs: "faccio fa lascio tengo do",
  },
  {
    language: "nl",
    clause: /^(?:Ik \p{Ll}+|Mijn naasten \p{Ll}+|Mensen|Anderen|Wat ik doe,)(?= ).*\p{Ll}$/u,
    own: /\b(?:ik|mij|me|mijn|mijne)\b/i,
    words: [
      ["make one claim", /\b(?:en|of|omdat|maar|want|dus)\b/, "Ik lees boeken en schrijf brieven"],
      ["contain no negation", /\b(?:niet|niets|nooit|niemand|geen|zonder|noch)\b/, "Ik lees boeken zonder plaatjes"],
      [
        "leave how often to the response scale",
        /\b(?:altijd|vaak|soms|zelden|meestal|geregeld|dagelijks|steeds)\b/,
        "Ik lees vaak boeken over bijen",
      ],
      [
        "do not repeat the frames",
        /\b(?:levens?|leef|leeft|nu|wil|wilt|willen|wens\w*)\b/,
        "Ik lees boeken over het leven van bijen",
      ],
      [
        "name people in words that are true of every gender",
        /\b(?:vriend|collega|buren|buur|partner|burger|man\b|vrouw|chef)\w*/,
        "Ik lees boeken met mijn buren",
      ],
      ["presuppose nothing bad", /probleem|fout|gevaar|ziek|ruzie|saai|risico|oorlog/, "Ik lees boeken over de oorlog"],
      [
        "depend on no household, income, politics or age",
        /familie|kinderen|ouders|\bhuis|salaris|koop|\breis|regering|partij|\bland\b|kerk|jongere/,
        "Ik lees boeken over de regering",
      ],
    ],
    polite: /\b(?:u|uw)\b/i,
    familiar: /\b(?:jij|je|jou|jouw|jullie)\b/i,
    verb: wordAfterSubject(/^ik /),
    plain:
      "ik mij me mijn mijne aan als bij dan dat de die door een er eigen ben zijn haar hem hen heen het hij hoe iets iemand ieder elke in is " +
      "kan me met mee minder meer meeste moeilijke na naar om ontvang op over te tot toe uit van vol volle voor voordat waar wanneer wat " +
      "welke wie wil willen zij ze zo zoals zodat zoveel zelf bijzondere even evenveel goed gaat zich anderen andere ander mensen",
    plainVerbs: "doe doet geef laat neem houd vind maak",
  },
];
