// Where a person goes: the partner's own URL, with the outcome added and nothing else changed.
import { expect, test } from "vitest";
import { createReturnUrl } from "../../src/domain/hosted/return-url.ts";

const outcome = { sessionId: "id", status: "completed", completion: "a.b.c" };
const added = "sessionId=id&status=completed&completion=a.b.c";

test.each([
  ["https://partner.example/done", `https://partner.example/done?${added}`],
  ["https://partner.example", `https://partner.example/?${added}`],
  ["https://partner.example/done?", `https://partner.example/done?${added}`],
  ["https://partner.example/done?order=4%202&x", `https://partner.example/done?order=4%202&x&${added}`],
  ["https://partner.example/a+b?q=a+b&q=%2B", `https://partner.example/a+b?q=a+b&q=%2B&${added}`],
  ["https://partner.example/#/done", `https://partner.example/?${added}#/done`],
  ["https://partner.example/?a=1#part", `https://partner.example/?a=1&${added}#part`],
  [
    "https://partner.example/?constructor=1&toString=2&__proto__=3",
    `https://partner.example/?constructor=1&toString=2&__proto__=3&${added}`,
  ],
  ["http://localhost:3000/back?ö=ü", `http://localhost:3000/back?%C3%B6=%C3%BC&${added}`],
])("%s becomes %s", (redirectUrl, expected) => {
  expect(createReturnUrl(redirectUrl, outcome)).toBe(expected);
});

test("an outcome that is in the URL already is replaced", () => {
  const url = "https://partner.example/?status=pending&a=1&%73tatus=x&completion";
  expect(createReturnUrl(url, outcome)).toBe(`https://partner.example/?a=1&${added}`);
});

test("values are written so that any parser reads them back", () => {
  const strange = { completion: "a&b=c d/é+#" };
  const url = new URL(createReturnUrl("https://partner.example/?x=1", strange));
  expect(Object.fromEntries(url.searchParams)).toEqual({ x: "1", ...strange });
});
