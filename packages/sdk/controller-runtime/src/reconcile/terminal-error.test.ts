import { expect, test } from "vitest";
import { TerminalError } from "./terminal-error.ts";

test("a TerminalError contains the message and the error that it wraps", () => {
  const cause = new Error("spec.size is -1");
  const error = new TerminalError(cause);
  expect([error.message, error.cause, error.name]).toEqual([
    "terminal error: spec.size is -1",
    cause,
    "TerminalError",
  ]);
  expect(new TerminalError("no").message).toBe("terminal error: no");
});
