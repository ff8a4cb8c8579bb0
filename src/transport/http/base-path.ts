// The path prefix of the public URL that a proxy in front removes.

/** The path of the service's public URL; empty if it has none. @param publicUrl without a slash at its end */
export function basePath(publicUrl: string): string {
  return publicUrl.replace(/^https?:\/\/[^/]+/i, "");
}
