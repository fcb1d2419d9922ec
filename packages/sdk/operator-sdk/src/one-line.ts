/** A message of others in one line, as an error of ours is. */
export function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ");
}
