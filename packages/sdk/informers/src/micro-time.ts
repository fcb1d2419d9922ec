/** meta/v1 MicroTime: milliseconds since the epoch, in RFC 3339 with six digits. */
export function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace("Z", "000Z");
}
