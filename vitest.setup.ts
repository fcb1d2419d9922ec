import { vi } from "vitest";

/**
 * Milliseconds after which a condition that does not come true fails its test. For a hang: vitest's own second is outrun on
 * a machine that is busy with other things.
 */
const patience = 30_000;

const patient = Symbol.for("operator-path/patient");
const { waitFor, waitUntil } = vi;
// Test files that share their modules share this one's effect.
if (!(patient in waitFor)) {
  vi.waitFor = Object.assign<typeof waitFor, object>(
    (callback, options) => waitFor(callback, withPatience(options)),
    {
      [patient]: true,
    },
  );
  vi.waitUntil = (callback, options) => waitUntil(callback, withPatience(options));
}

function withPatience(options: Parameters<typeof waitFor>[1]): Parameters<typeof waitFor>[1] {
  return typeof options === "number" ? options : { timeout: patience, ...options };
}
