// Variables of services that tests start.

/** As many requests as are sent. */
export const noLimits = {
  RATE_LIMIT_PER_MINUTE: "0",
  TOKEN_RATE_LIMIT_PER_MINUTE: "0",
  ADDRESS_RATE_LIMIT_PER_MINUTE: "0",
  HOSTED_RATE_LIMIT_PER_MINUTE: "0",
};

/** Webhooks may go to receivers on loopback. */
export const localWebhooks = {
  WEBHOOK_KEY: Buffer.alloc(32, 1).toString("base64"),
  WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
};
