// Cases of norms: what is told, and why what is not is withheld.
import { expect } from "vitest";
import { bodyOf, type Case, expectRefused } from "../case.ts";

export const normCases: readonly Case[] = [
  {
    name: "norms of fewer than 30 people are withheld, and those of all partners before a release, with the reason",
    outcome: "ok",
    async run({ transport, bob }) {
      const { partner, pooled, ...rest } = bodyOf(await transport.getNorms(bob));
      const of = { product: "values-bridge", version: 1, form: "long", language: "und" };
      expect(rest).toEqual({ ...of, translationState: "draft" });
      expect(partner).toEqual({ norms: null, reason: "too_few", retest: null, retestReason: "too_few" });
      expect(pooled).toEqual({ release: null, reason: "waiting" });
    },
  },
  {
    name: "norms are of one language, version and form",
    outcome: "ok",
    async run({ transport, bob }) {
      const asked = { language: "de", version: 1, form: "short" };
      expect(bodyOf(await transport.getNorms(bob, asked))).toMatchObject(asked);
    },
  },
  {
    name: "norms of a language without statements are refused",
    outcome: "invalid_request",
    async run({ transport, bob }) {
      const faults = [{ pointer: "#", code: "unknown_value" }];
      expectRefused(await transport.getNorms(bob, { language: "tlh" }), "invalid_request", faults);
    },
  },
  {
    name: "norms of a version that does not exist are not found",
    outcome: "not_found",
    async run({ transport, bob }) {
      expectRefused(await transport.getNorms(bob, { version: 99 }), "not_found");
    },
  },
];
