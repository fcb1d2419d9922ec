import { expect, test } from "vitest";
import { happenedLines } from "./happened-lines.ts";

test("shows the shell's prompt before commands only", () => {
  const happened = [
    { kind: "command", text: "echo one", output: "one" },
    { kind: "command", text: "true", output: "" },
    { kind: "typed", text: "ps", output: "PID" },
    { kind: "output", text: "", output: "reconciled" },
    { kind: "interrupt", text: "", output: "" },
  ] as const;
  expect(happenedLines(happened)).toBe("$ echo one\none\n$ true\nps\nPID\nreconciled\n^C");
});
