/**
 * Milliseconds that a response's `Retry-After` asks to wait: a number of seconds, or a date (RFC 9110, 10.2.3), which
 * counts from the response's own `Date` where it has one, so that it does not matter which clock is wrong.
 */
export function retryAfterOf(headers: Record<string, string>): number | undefined {
  const value = headers["retry-after"]?.trim();
  if (!value) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const until = Date.parse(value);
  if (Number.isNaN(until)) return undefined;
  const sentAt = Date.parse(headers.date ?? "");
  return Math.max(0, until - (Number.isNaN(sentAt) ? Date.now() : sentAt));
}
