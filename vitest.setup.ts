import { inject, vi } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Milliseconds that `vi.waitFor` waits before the test fails. vitest's own second is too short. */
    readonly wait: number;
  }
}

const patient = Symbol.for("operator-path/patient");
const { waitFor, waitUntil } = vi;
// Without isolation, test files share this module and its effect.
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
  return typeof options === "number" ? options : { timeout: inject("wait"), ...options };
}
