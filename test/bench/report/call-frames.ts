// Whose code a function is, in profiles of V8.

export interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

/** The package of a function, or the folder of ours; `node`, or `native`, for those of neither. */
export function packageOf({ url, functionName }: CallFrame): string {
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  const inSource = /\/(src\/[^/]+|test\/bench)\//.exec(url)?.[1];
  if (inPackage !== undefined || inSource !== undefined) return inPackage ?? inSource ?? "";
  if (url.startsWith("node:")) return "node";
  return functionName.startsWith("(") ? functionName : "native";
}
