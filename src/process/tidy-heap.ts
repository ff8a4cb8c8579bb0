// What a start leaves behind, given back before anybody calls.

/**
 * Collects all garbage and gives the memory back, in some 100 ms in which nothing else runs: to be called once, when all
 * is loaded and nobody is served yet. Without `--expose-gc` it does nothing.
 */
export function tidyHeap(): void {
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
}
