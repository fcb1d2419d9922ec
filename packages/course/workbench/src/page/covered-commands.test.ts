import { expect, test } from "vitest";
import { coveredCommands } from "./covered-commands.ts";
import type { Part } from "./page-view.ts";

const commands = (id: string): Part => ({
  ...{ kind: "commands", id, hash: "", terminal: "main" },
  entries: [],
});
const text = (html: string): Part => ({ kind: "text", html });

test("covers the commands directly below the question", () => {
  const parts = [text("What?"), commands("1"), commands("2"), text("Two."), commands("3")];
  expect(coveredCommands(parts, 0).map(({ id }) => id)).toEqual(["1", "2"]);
});

test("covers nothing without commands directly below", () => {
  expect(coveredCommands([text("What?"), text("So."), commands("1")], 0)).toEqual([]);
  expect(coveredCommands([text("What?")], 0)).toEqual([]);
});
