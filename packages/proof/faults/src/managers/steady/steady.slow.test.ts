import { expect, test } from "vitest";
import { runSteady } from "./run-steady.ts";

/** With a thousand: pnpm proof faults --managers --steady. */
test("52 sites settle with the necessary writes; then, for eleven hours, the operator writes only its Lease", async () => {
  const { problems, laterWrites, writesToSettle, renewals, reconciles } = await runSteady({
    objects: 52,
    hours: 11,
  });
  expect(problems).toEqual([]);
  expect(laterWrites).toEqual([]);
  // A finalizer and a status each, and a Deployment for each that is not of size 0.
  expect(writesToSettle).toBe(52 * 2 + 39);
  expect(renewals).toBeGreaterThan(200);
  // Each was reconciled again: after its period, and by the resync.
  expect(reconciles).toBeGreaterThan(52 * 5);
});
