// The brandings of partners in MySQL.

import type { Database } from "../../database/database.ts";
import { sql } from "../../database/statement.ts";
import { type Branding, brandingFields, neutralBranding } from "../../domain/hosted/branding.ts";
import { table } from "../table.ts";

const brandings = table(brandingFields);

export const statements = {
  find: brandings.select`FROM partner_brandings WHERE partner_id = :partnerId`,
  save: sql`INSERT INTO partner_brandings (partner_id, ${brandings.columns}) VALUES (:partnerId, ${brandings.markers})
    ON DUPLICATE KEY UPDATE ${brandings.replacements}`,
};

/** The store of brandings. */
export function createBrandingStore(db: Database) {
  return {
    /** A neutral one if none was set. */
    async findBranding(partnerId: string, signal: AbortSignal): Promise<Branding> {
      return (await db.findOne(statements.find, { partnerId }, signal)) ?? neutralBranding;
    },

    /** Replaces the branding. */
    saveBranding: (partnerId: string, branding: Branding, signal: AbortSignal) =>
      db.write(statements.save, { partnerId, ...brandings.toRow(branding) }, signal),
  };
}

export type BrandingStore = ReturnType<typeof createBrandingStore>;
