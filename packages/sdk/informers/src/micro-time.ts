/** Formats milliseconds since the epoch as a meta/v1 MicroTime: RFC 3339 with six decimals. */
export function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace("Z", "000Z");
}
