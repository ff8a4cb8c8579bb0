// The part of `jstat` that is used: the package has no types of its own.
declare module "jstat" {
  const jstat: {
    /** Pearson's correlation. */
    corrcoeff(xs: readonly number[], ys: readonly number[]): number;
    /** Sum of squared deviations from the mean. */
    sumsqerr(members: readonly number[]): number;
    /** The F distribution. `inv` gives a quantile, with a relative error below 1e-7. */
    readonly centralF: { inv(probability: number, df1: number, df2: number): number };
    /** The normal distribution. */
    readonly normal: { inv(probability: number, mean: number, sd: number): number };
  };
  export = jstat;
}
