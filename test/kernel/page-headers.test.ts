// What the headers of a page allow, whatever was stored of a partner.
import { expect, test } from "vitest";
import { createPageHeaders, type FrameAncestors } from "../../src/pages/headers.ts";

function headersOf(logoUrl: string | undefined, frameAncestors: FrameAncestors = []): Record<string, string> {
  return createPageHeaders({ nonce: "n", images: [logoUrl], submitsToOtherSite: false, frameAncestors });
}

function policyOf(logoUrl: string | undefined): string[] {
  const headers = headersOf(logoUrl);
  return (headers["content-security-policy"] ?? "").split(/; ?/);
}

const without = policyOf(undefined);

test.each([
  ["https://cdn.example/logo.png", "img-src 'self' https://cdn.example"],
  ["https://cdn.example:8443/a;b", "img-src 'self' https://cdn.example:8443"],
  ["data:image/png;base64,AAAA", "img-src 'self' data:"],
])("the logo %s is allowed as a source of images", (logoUrl, directive) => {
  expect(policyOf(logoUrl)).toEqual(without.map((each) => (each === "img-src 'self'" ? directive : each)));
});

test.each(["https://a;sandbox/x", "https://a,b/x", "https://a'b/x", "nonsense"])(
  "the logo %s, stored before hosts were checked, adds no source",
  (logoUrl) => {
    expect(policyOf(logoUrl)).toEqual(without);
  },
);

test.each<[given: FrameAncestors, directive: string, older: string | undefined]>([
  [[], "frame-ancestors 'none'", "DENY"],
  [
    ["https://a.example", "http://localhost:3000"],
    "frame-ancestors https://a.example http://localhost:3000",
    undefined,
  ],
  ["all", "frame-ancestors *", undefined],
  [["*", "https://a;sandbox", "https://a.example/path", "'self'"], "frame-ancestors 'none'", "DENY"],
])("the sites %j may show a page: %s", (given, directive, older) => {
  const headers = headersOf(undefined, given);
  expect(headers["content-security-policy"]?.split("; ").at(-1)).toBe(directive);
  expect(headers["x-frame-options"]).toBe(older);
});
