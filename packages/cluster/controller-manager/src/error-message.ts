/** What an error says, for Events, conditions and logs. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
