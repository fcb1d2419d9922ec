import { vi } from "vitest";

/** Waits until the assertion holds, or fails as it does: for as long as a busy machine may take. */
export function eventually(assertion: () => unknown): Promise<unknown> {
  return vi.waitFor(assertion, { timeout: 20_000, interval: 5 });
}
