// The products of the interface.

export const products = ["values-bridge"] as const;

const known: ReadonlySet<string> = new Set(products);

/** Whether a text names a product. */
export function isProduct(text: string): boolean {
  return known.has(text);
}
