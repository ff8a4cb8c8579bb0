// pas partner brand …: how the hosted pages of a partner look.

import { getBranding, updateBranding } from "../domain/hosted/branding.ts";
import { type Command, readArguments } from "./command.ts";
import { withDomain } from "./database.ts";
import { naming } from "./faults.ts";

export const partnerBrand: Command = {
  usage: "ID [--name N] [--logo URL] [--accent #rrggbb]",
  about: "show or change how a partner's hosted pages look; an empty value removes what was set",
  async run(context) {
    const kinds = { name: "string", logo: "string", accent: "string" } as const;
    const { options, positionals } = readArguments(context.args, kinds, ["ID"]);
    const [partnerId = ""] = positionals;
    const branding = await withDomain(context, async (domain, deadline) => {
      const current = await getBranding(domain, partnerId, deadline);
      if (Object.keys(options).length === 0) return current;
      const changed = {
        displayName: changedValue(options.name, current.displayName),
        logoUrl: changedValue(options.logo, current.logoUrl),
        accentColor: changedValue(options.accent, current.accentColor),
      };
      return naming({ branding: changed }, updateBranding(domain, partnerId, changed, deadline));
    });
    context.print({ partnerId, ...branding });
  },
};

function changedValue(given: string | undefined, current: string | null): string | null {
  return given === undefined ? current : given || null;
}
