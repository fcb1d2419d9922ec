import { expect, test } from "vitest";
import { coveredParts } from "./covered-parts.ts";
import type { Part } from "./page-view.ts";

const commands = (id: string): Part => ({
  ...{ kind: "commands", id, hash: "", terminal: "main", entries: [] },
});
const text = (html: string): Part => ({ kind: "text", html });
const ids = (parts: readonly Part[]) => coveredParts(parts, 0).commands.map(({ id }) => id);

test("covers the commands directly below the question, and the text below them", () => {
  const parts = [text("What?"), commands("1"), commands("2"), text("Two."), commands("3")];
  expect(ids(parts)).toEqual(["1", "2"]);
  expect(coveredParts(parts, 0).text).toBe(parts[3]);
});

test.each([
  ["a heading", text("<h3>More</h3>")],
  ["a picture", { kind: "diagram", source: "" }],
] satisfies [string, Part][])("ends at %s", (_what, end) => {
  const parts = [text("What?"), commands("1"), end, commands("2"), text("Two.")];
  expect(ids(parts)).toEqual(["1"]);
  expect(coveredParts(parts, 0).text).toBeUndefined();
});

test("covers nothing without a command", () => {
  expect(coveredParts([text("What?"), text("So."), commands("1")], 0)).toEqual({
    commands: [],
    text: undefined,
  });
  expect(coveredParts([text("What?")], 0)).toEqual({ commands: [], text: undefined });
});
