// pas partner brand …: how the hosted pages and reports of a partner look, and where they may be shown.
import { recordAct } from "../../domain/audit/acts.ts";
import { getBranding, updateBranding } from "../../domain/hosted/branding.ts";
import { parseUuid } from "../../domain/identifiers.ts";
import type { CommandContext } from "../command.ts";
import { withDomain } from "../database.ts";
import { naming, unlessKnown } from "../faults.ts";

/** What to change; an empty text removes what was set. */
export interface BrandOptions {
  readonly name?: string;
  readonly logo?: string;
  readonly accent?: string;
  readonly support?: string;
  /** Origins, with spaces between. */
  readonly frames?: string;
}

/** Prints the branding of a partner, changed if an option says so. */
export async function brandPartner(context: CommandContext, partnerId: string, options: BrandOptions): Promise<void> {
  const branding = await withDomain(context, async (domain, deadline) => {
    const current = await getBranding(domain, partnerId, deadline);
    if (Object.keys(options).length === 0) return current;
    const changed = {
      displayName: changedValue(options.name, current.displayName),
      logoUrl: changedValue(options.logo, current.logoUrl),
      accentColor: changedValue(options.accent, current.accentColor),
      supportText: changedValue(options.support, current.supportText),
      frameAncestors: options.frames?.split(/\s+/).filter((origin) => origin !== "") ?? current.frameAncestors,
    };
    return recordAct(domain, { action: "branding.update", partnerId: parseUuid(partnerId) ?? null }, () =>
      naming({ branding: changed }, updateBranding(domain, partnerId, changed, deadline)),
    );
  }).catch(unlessKnown("partner"));
  context.print({ partnerId, ...branding });
}

function changedValue(given: string | undefined, current: string | null): string | null {
  return given === undefined ? current : given || null;
}
