// What reports can be asked for, by the words of the REST interface.

/** Media types of reports by their format, the one without being asked first. */
export const reportMedia = {
  json: "application/json",
  html: "text/html",
  pdf: "application/pdf",
  svg: "image/svg+xml",
  png: "image/png",
} as const;

export type ReportFormatWord = keyof typeof reportMedia;

export const reportFormats = Object.keys(reportMedia) as readonly ReportFormatWord[];
export const pictures = ["circle", "gaps", "poster"] as const;
export const papers = ["a4", "letter"] as const;
