// The brandings of partners in MySQL.

import type { Knex } from "knex";
import { fetchRows, sql, write } from "../../database/statement.ts";
import { type Branding, neutralBranding } from "../../domain/hosted/branding.ts";

const columns = ["display_name", "logo_url", "accent_color", "support_text", "frame_ancestors", "comparison"];
export const statements = {
  find: sql`SELECT ${columns.join(", ")} FROM partner_brandings WHERE partner_id = :partnerId`,
  save: sql`INSERT INTO partner_brandings (partner_id, ${columns.join(", ")})
    VALUES (:partnerId, :displayName, :logoUrl, :accentColor, :supportText, :frameAncestors, :comparison)
    ON DUPLICATE KEY UPDATE ${columns.map((column) => `${column} = VALUES(${column})`).join(", ")}`,
};

/** The store of brandings. */
export function createBrandingStore(db: Knex) {
  return {
    /** A neutral one if none was set. */
    async findBranding(partnerId: string, signal: AbortSignal): Promise<Branding> {
      const [row] = await fetchRows(db, statements.find, { partnerId }, signal);
      if (row === undefined) return neutralBranding;
      return {
        displayName: row.display_name,
        logoUrl: row.logo_url?.toString() ?? null,
        accentColor: row.accent_color,
        supportText: row.support_text,
        frameAncestors: row.frame_ancestors?.split(" ") ?? [],
        comparison: row.comparison,
      };
    },
    /** Replaces the branding. */
    async saveBranding(partnerId: string, branding: Branding, signal: AbortSignal): Promise<void> {
      const frameAncestors = branding.frameAncestors.join(" ") || null;
      await write(db, statements.save, { partnerId, ...branding, frameAncestors }, signal);
    },
  };
}

export type BrandingStore = ReturnType<typeof createBrandingStore>;
