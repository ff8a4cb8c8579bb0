// The part of the public URL that a proxy in front takes away.

/** The path of the service's public URL; empty if there is none. @param publicUrl without a slash at its end */
export function basePath(publicUrl: string): string {
  return publicUrl.replace(/^https?:\/\/[^/]+/i, "");
}
