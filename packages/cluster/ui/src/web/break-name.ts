/** Pixels that an average character of a node's name takes, on the safe side. */
const characterWidth = 7.4;

/** The parts of a name: `head + cut + tail` is the name. */
export interface BrokenName {
  readonly head: string;
  /** The part that does not fit. */
  readonly cut: string;
  /** The end, which may be on a second line. */
  readonly tail: string;
}

/**
 * Breaks a name into at most two lines, after a hyphen or dot where possible. Leaves out the middle
 * of a name that is too long, because its end tells Pods apart.
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
