// Expressions that graphs have in common.

/** Long enough for four scrapes, whatever their interval. */
const range = "[$__rate_interval]";

/** A second, by labels. */
export const rateQuery = (series: string, by: string) => `sum by (${by}) (rate(${series}${range}))`;

/** Of a histogram's buckets, by labels or all together. */
export const quantileQuery = (quantile: number, series: string, by: string) =>
  `histogram_quantile(${quantile}, sum by (le${by === "" ? "" : `, ${by}`}) (rate(${series}${range})))`;

/** How many in an hour, 0 if there never was one. */
export const inLastHour = (series: string) => `sum(increase(${series}[1h])) or vector(0)`;
