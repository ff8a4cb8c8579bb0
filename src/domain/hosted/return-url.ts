// The address that a person is sent to when a hosted session is finished.

/**
 * The partner's redirect URL with the outcome in its query. The partner's own query is kept, except for
 * parameters of the same names; a fragment stays after the query.
 */
export function createReturnUrl(redirectUrl: string, outcome: Readonly<Record<string, string>>): string {
  const url = new URL(redirectUrl);
  const own = url.search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && !Object.hasOwn(outcome, parseName(pair)));
  const parameters = Object.entries(outcome).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  url.search = [...own, ...parameters].join("&");
  return url.href;
}

function parseName(pair: string): string {
  return [...new URLSearchParams(pair).keys()][0] ?? "";
}
