// Names of partners as nobody has them but those who want to do harm.
export const hostileNames: readonly (readonly [what: string, name: string])[] = [
  ["markup", '<img src=x onerror="alert(1)">'],
  ["a script", "</style></title><script>alert(1)</script>"],
  ["an end of CDATA and an entity", "]]>&lt;&#x3c;&amp;"],
  ["turned around", "\u202egpj.exe\u202c \u2067abc\u2069"],
  ["emoji of seven signs each", "👩‍👩‍👧‍👦".repeat(8)],
  ["one letter with 59 accents", `Z${"\u0321\u0359".repeat(29)}\u0321`],
  ["controls and lone surrogates", "A\u0000\u0007\u001b[31m\ud800B\udc00"],
  ["in letters that fonts may lack", "تدريب القيم 価値"],
  ["a format of templates", "{partner} $1 $& %s"],
];
