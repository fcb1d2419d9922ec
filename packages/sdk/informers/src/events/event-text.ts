import { randomBytes } from "node:crypto";

/**
 * Limits of events.k8s.io/v1 in bytes (kubernetes: NoteLengthLimit, ReasonLengthLimit, ActionLengthLimit, …).
 */
export const noteLimit = 1024;
export const reasonLimit = 128;

/** Names are DNS subdomains. */
const longestName = 253;

/**
 * Truncates to a number of bytes in UTF-8, without splitting a character, and ends with "...". A long text is
 * no reason for the server to reject the Event.
 */
export function cut(text: string, bytes: number): string {
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text;
  const whole = Buffer.from(text);
  let end = bytes - 3;
  // Skip the continuation bytes of UTF-8.
  while (((whole[end] ?? 0) & 0xc0) === 0x80) end--;
  return `${whole.toString("utf8", 0, end)}...`;
}

/** Returns "<object>.<16 hexadecimal digits>", as client-go names Events. A long object name is truncated. */
export function eventName(name: string): string {
  const suffix = `.${randomBytes(8).toString("hex")}`;
  return name.slice(0, longestName - suffix.length).replace(/[^a-z0-9]+$/, "") + suffix;
}
