// Branding as a message: what is not set is null in the domain and absent in the message.
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Branding } from "../../domain/hosted/branding-port.ts";
import type { Branding as BrandingMessage, BrandingSchema } from "../../gen/assessment/v1/branding_pb.ts";

/** The branding as a message. */
export function toBrandingMessage(branding: Branding): MessageInitShape<typeof BrandingSchema> {
  const { displayName, logoUrl, accentColor, supportText, frameAncestors } = branding;
  return {
    displayName: displayName ?? undefined,
    logoUrl: logoUrl ?? undefined,
    accentColor: accentColor ?? undefined,
    supportText: supportText ?? undefined,
    frameAncestors: [...frameAncestors],
  };
}

/** The branding in a message; no message is an empty branding. */
export function fromBrandingMessage(message: BrandingMessage | undefined): Branding {
  const { displayName = null, logoUrl = null, accentColor = null } = message ?? {};
  const { supportText = null, frameAncestors = [] } = message ?? {};
  return { displayName, logoUrl, accentColor, supportText, frameAncestors };
}
