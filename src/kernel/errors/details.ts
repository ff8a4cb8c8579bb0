// The default detail of each error code, also shown on the pages of problems.

export const details = {
  malformed_request: "The body is not JSON in UTF-8.",
  unauthenticated: "The access token is unknown, expired or revoked.",
  permission_denied: "The access token lacks the scope that this operation requires.",
  not_found: "There is nothing here that this caller may see.",
  request_timeout: "The request was not received in time.",
  session_completed: "The session is completed and takes no other answers.",
  conflict: "Other writes to this session came first until the deadline. Repeat the request.",
  unsupported_media_type: "Send the body as `Content-Type: application/json`.",
  invalid_request: "The request breaks a rule of the interface.",
  idempotency_key_reused: "The idempotency key was used for another request. Use a new key for a new request.",
  rate_limited: "The rate limit is used up. Wait for the time given, then go on.",
  headers_too_large: "Request line and headers have at most 16 KiB.",
  internal: "The service made a mistake; the request id leads to its cause.",
  unavailable: "The service is busy. Try again in a second.",
  deadline_exceeded: "The deadline passed.",
  events_expired: "Events after the cursor are no longer kept.",
  endpoint_exists: "Another endpoint of the partner has this URL.",
  endpoint_disabled: "The endpoint is disabled: it would get nothing.",
  replay_running: "The endpoint has a replay that is not over yet.",
  group_closed: "The group is closed, or its time to close has come.",
  hosted_off: "Hosted pages are not set up at this service: its operator has to set PUBLIC_URL.",
  numbers_withheld: "The group is open: it has no numbers until it closes.",
  webhooks_off: "Webhooks are not set up at this service.",
} as const;

/** Details of refusals whose caller may know more. */
export const specificDetails = {
  lacksScope: (scope: string) => `The access token lacks the scope \`${scope}\`, which this operation requires.`,
  unknownProduct: (products: readonly string[]) => `There is no such product. There is: ${products.join(", ")}.`,
  noToken: "No access token was sent. Send it as `Authorization: Bearer TOKEN`; no other header is read.",
  noScheme:
    "There is an `Authorization` header, without `Bearer` and a space before the token: send `Authorization: Bearer TOKEN`.",
  basic:
    "`Authorization: Basic` is for /oauth/token, which exchanges a client's id and secret for an access token. Send that as `Authorization: Bearer TOKEN`.",
  wrongClient: "The client is unknown, disabled, or its secret is wrong.",
  exchanged: "The client id is a client secret: the two are probably exchanged.",
  noId: (text: string) => `\`${text}\` is no id: the request was made before its id was known.`,
  clientSecret: "This is a client secret, not an access token. Exchange it for one at /oauth/token.",
  notCompleted: "The session is not completed, so it has no results.",
  notScored: "The session is completed and not scored yet. Its results come later.",
} as const;
