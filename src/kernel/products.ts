// The products of the interface.

export const products = ["values-bridge"] as const;
