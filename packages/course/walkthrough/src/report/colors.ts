/** Reports whether a stream shows colours. picocolors also colours without a terminal if CI is set. */
export function hasColors(
  stream: { readonly isTTY?: boolean },
  { NO_COLOR, FORCE_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
): boolean {
  if (NO_COLOR) return false;
  return Boolean(FORCE_COLOR) || (stream.isTTY === true && TERM !== "dumb");
}
