// A calendar file (RFC 5545) with the day on which the person looks at their small step again.
import type { ReportModel } from "./report-model.ts";
import { chooseReportLanguage } from "./words/language.ts";

/** Octets of a line; the first one of a continuation is a space. */
const maxLineBytes = 75;
/** SEQUENCE counts seconds from here: its limit is 2³¹ − 1. */
const firstSecond = Date.UTC(2026, 0, 1) / 1000;

/**
 * A whole day with a reminder at nine, local time; undefined if no day was chosen. A later file replaces an earlier one of the
 * session.
 * @param now milliseconds since 1970
 */
export function createStepCalendar({ steps, language, sessionId }: ReportModel, now: number): string | undefined {
  const choice = steps?.chosen;
  if (choice?.lookAgainOn == null || sessionId === null) return undefined;
  const { texts } = chooseReportLanguage([language]);
  const title = escapeText(texts.stepCalendarTitle);
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Partner Assessment Service//Report//EN",
    "METHOD:PUBLISH",
    "BEGIN:VEVENT",
    `UID:step-${sessionId}`,
    `DTSTAMP:${new Date(now).toISOString().replace(/[-:]|\.\d+/g, "")}`,
    `SEQUENCE:${Math.floor(now / 1000) - firstSecond}`,
    `DTSTART;VALUE=DATE:${choice.lookAgainOn.replaceAll("-", "")}`,
    `SUMMARY:${title}`,
    `DESCRIPTION:${escapeText(choice.step)}`,
    "TRANSP:TRANSPARENT",
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    `DESCRIPTION:${title}`,
    "TRIGGER:PT9H",
    "END:VALARM",
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join("");
}

function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, "\\$&").replace(/\r?\n/g, "\\n");
}

/** A line in short pieces, split between characters. */
function foldLine(line: string): string {
  const pieces: string[] = [];
  let piece = "";
  for (const character of line) {
    if (Buffer.byteLength(piece + character) > maxLineBytes - Math.sign(pieces.length)) {
      pieces.push(piece);
      piece = "";
    }
    piece += character;
  }
  return [...pieces, piece].join("\r\n ");
}
