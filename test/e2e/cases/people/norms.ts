// Cases of norms: what is told, and why what is not is withheld.
import { expect } from "vitest";
import { bodyOf, type Cases, expectRefused } from "../case.ts";

export const normCases: Cases = {
  "norms of fewer than 30 people are withheld, and those of all partners before a release, with the reason": async ({
    transport,
    bob,
  }) => {
    const { partner, pooled, ...rest } = bodyOf(await transport.getNorms(bob));
    const of = { product: "values-bridge", version: 1, form: "long", language: "und" };
    expect(rest).toEqual({ ...of, translationState: "draft" });
    expect(partner).toEqual({ norms: null, reason: "too_few", retest: null, retestReason: "too_few" });
    expect(pooled).toEqual({ release: null, reason: "waiting" });
  },
  "norms are of one language, version and form": async ({ transport, bob }) => {
    const query = { language: "de", version: 1, form: "short" };
    expect(bodyOf(await transport.getNorms(bob, query))).toMatchObject(query);
  },
  "norms of a language without statements are refused": async ({ transport, bob }) => {
    const faults = [{ pointer: "#", code: "unknown_value" }];
    expectRefused(await transport.getNorms(bob, { language: "tlh" }), "invalid_request", faults);
  },
};
