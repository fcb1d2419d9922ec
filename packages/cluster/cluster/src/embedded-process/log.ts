import { ftruncateSync, writeSync } from "node:fs";

/** A background cluster may run for weeks. At this size its log is cleared. */
const maxBytes = 10 * 1024 * 1024;

/**
 * Returns a function that writes lines with a timestamp to a log file. It never throws. If the disk is full,
 * lines are dropped, and the next written line says how many.
 *
 * @param fd of the file, opened for appending
 */
export function createLog(fd: number, limit = maxBytes): (line: string) => void {
  let dropped = 0;
  let size = 0;
  return (line) => {
    const time = new Date().toISOString();
    const gap = dropped > 0 ? `\n${time} ${dropped} lines are missing: the log could not be written\n` : "";
    try {
      if (size > limit) {
        ftruncateSync(fd);
        size = 0;
      }
      size += writeSync(fd, `${gap}${time} ${line}\n`);
      dropped = 0;
    } catch {
      dropped++;
    }
  };
}
