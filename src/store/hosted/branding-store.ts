// How the hosted pages of partners look, in MySQL.
import type { Knex } from "knex";
import { uuidToBytes } from "../../database/rows.ts";
import { compile, fetchRows, write } from "../../database/statement.ts";
import type { BrandingStore } from "../../domain/hosted/branding-port.ts";

/** The branding part of the Store port. */
export function createBrandingStore(db: Knex): BrandingStore {
  const columns = ["display_name", "logo_url", "accent_color", "support_text", "frame_ancestors"];
  const statements = {
    find: compile(db("partner_brandings").select(columns).where({ partner_id: ":partnerId" })),
    save: compile(
      db.raw(
        `INSERT INTO partner_brandings (partner_id, ${columns.join(", ")}) VALUES (?, ?, ?, ?, ?, ?)
         ON DUPLICATE KEY UPDATE ${columns.map((column) => `${column} = VALUES(${column})`).join(", ")}`,
        [":partnerId", ":displayName", ":logoUrl", ":accentColor", ":supportText", ":frameAncestors"],
      ),
    ),
  };
  return {
    async findBranding(partnerId, signal) {
      const [row] = await fetchRows(db, statements.find, { partnerId: uuidToBytes(partnerId) }, signal);
      if (row === undefined) return undefined;
      return {
        displayName: row.display_name,
        logoUrl: row.logo_url?.toString() ?? null,
        accentColor: row.accent_color,
        supportText: row.support_text,
        frameAncestors: row.frame_ancestors?.split(" ") ?? [],
      };
    },
    async saveBranding(partnerId, { displayName, accentColor, supportText, ...branding }, signal) {
      const logoUrl = branding.logoUrl === null ? null : Buffer.from(branding.logoUrl);
      const frameAncestors = branding.frameAncestors.join(" ") || null;
      const texts = { displayName, accentColor, supportText };
      const values = { partnerId: uuidToBytes(partnerId), ...texts, logoUrl, frameAncestors };
      await write(db, statements.save, values, signal);
    },
  };
}
