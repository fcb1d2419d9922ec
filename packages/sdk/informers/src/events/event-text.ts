import { randomBytes } from "node:crypto";

/** What events.k8s.io/v1 takes, in bytes (kubernetes: NoteLengthLimit, ReasonLengthLimit, ActionLengthLimit, …). */
export const noteLimit = 1024;
export const reasonLimit = 128;

/** Names are DNS subdomains. */
const longestName = 253;

/** At most so many bytes of UTF-8, whole characters, with "..." for what is missing: too much is no reason to be refused. */
export function cut(text: string, bytes: number): string {
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text;
  const whole = Buffer.from(text);
  let end = bytes - 3;
  // Continuation bytes of UTF-8.
  while (((whole[end] ?? 0) & 0xc0) === 0x80) end--;
  return `${whole.toString("utf8", 0, end)}...`;
}

/** "<object>.<16 hexadecimal digits>", as client-go names them, and short enough whatever the object's name is. */
export function eventName(name: string): string {
  const suffix = `.${randomBytes(8).toString("hex")}`;
  return name.slice(0, longestName - suffix.length).replace(/[^a-z0-9]+$/, "") + suffix;
}
