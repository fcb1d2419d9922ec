import { expect } from "vitest";
import { HelmError } from "../helm-error.ts";

/** Returns the HelmError that a promise rejects with. */
export async function failure(running: Promise<unknown>): Promise<HelmError> {
  const error = await running.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(HelmError);
  return error as HelmError;
}
