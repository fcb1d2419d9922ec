import { log } from "@clack/prompts";
import { wrapLines } from "./wrap-lines.ts";

/** clack's mark and blanks before each line. */
const mark = 3;

/**
 * clack's log, with lines wrapped at the width of the terminal: clack cuts none, and a terminal cuts words. Not for
 * lines to copy, which must stay whole.
 */
export const wrappedLog = {
  info: (text: string): void => log.info(wrapped(text)),
  warn: (text: string): void => log.warn(wrapped(text)),
  error: (text: string): void => log.error(wrapped(text)),
};

function wrapped(text: string): string {
  const { isTTY, columns } = process.stdout;
  return isTTY ? wrapLines(text, (columns || 80) - mark) : text;
}
