import { timeOf } from "./format.ts";

/** A label of the time axis. */
export interface Tick {
  readonly at: number;
  /** The time of day: "12:03:05", or "12:03" if ticks are minutes apart. */
  readonly label: string;
  /** The middle of the label, in pixels from the left. */
  readonly x: number;
}

/** Pixels that no label exceeds. */
export const labelWidth = 60;
const gap = 20;
/** Seconds. The offset of each time zone is a multiple of the longest. */
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900];

/**
 * Returns round times for the axis of a time line. Labels do not overlap, and none is cut at an end.
 *
 * @param from the time at the left end, in milliseconds since the epoch
 * @param to the time at the right end
 * @param width in pixels
 */
export function ticksOf(from: number, to: number, width: number): Tick[] {
  const scale = width / (to - from);
  const step = steps.find((seconds) => seconds * 1000 * scale >= labelWidth + gap);
  if (step === undefined) return [];
  const apart = step * 1000;
  const ticks: Tick[] = [];
  for (let at = Math.ceil(from / apart) * apart; at <= to; at += apart) {
    const x = (at - from) * scale;
    if (x < labelWidth / 2 || x > width - labelWidth / 2) continue;
    ticks.push({ at, x, label: timeOf(at).slice(0, step < 60 ? 8 : 5) });
  }
  return ticks;
}
