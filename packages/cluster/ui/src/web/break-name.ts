/** Pixels that an average character of a node's name takes, on the safe side. */
const characterWidth = 7.4;

/** The parts of a name: `head + cut + tail` is the name. */
export interface BrokenName {
  readonly head: string;
  /** What there is no room for. */
  readonly cut: string;
  /** What may begin a second line. */
  readonly tail: string;
}

/**
 * Breaks a name into at most two lines, after a hyphen or dot where possible. Of a name that is too long, the middle
 * is left out: its end tells Pods apart.
 *
 * @param width the width of a line, in pixels
 */
export function breakName(name: string, width: number): BrokenName {
  const room = Math.max(8, Math.floor(width / characterWidth));
  const least = name.length - room;
  if (least <= 0) return { head: name, cut: "", tail: "" };
  // One character of the first line shows that something is left out.
  if (least > room)
    return { head: name.slice(0, room - 1), cut: name.slice(room - 1, least), tail: name.slice(least) };
  let at = room;
  while (at > least && !/[-.]/.test(name[at - 1] ?? "")) at--;
  return { head: name.slice(0, at), cut: "", tail: name.slice(at) };
}
