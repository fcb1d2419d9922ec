import { expect, test } from "vitest";
import type { Part } from "../page/page-view.ts";
import { hiddenParts } from "./hidden-parts.ts";

const commands: Part = { ...{ kind: "commands", id: "s/1", hash: "", terminal: "main" }, entries: [] };
const text = (html: string, question?: string): Part => ({
  ...{ kind: "text", html },
  ...(question !== undefined && { question }),
});

test("hides the result below an unanswered question, and the text that tells it", () => {
  const parts = [text("<p>What?</p>", "q"), commands, text("<p>Two.</p>"), commands, text("<p>On.</p>")];
  expect(hiddenParts(parts, {})).toEqual([false, true, true, false, false]);
  expect(hiddenParts(parts, { q: "" })).toEqual([false, false, false, false, false]);
});

test("hides the results of all commands up to the text that tells the answer", () => {
  const parts = [text("<p>What?</p>", "q"), commands, commands, text("<p>One.</p>"), commands];
  expect(hiddenParts(parts, {})).toEqual([false, true, true, true, false]);
});

test("shows the text from the next heading on", () => {
  const parts = [text("<p>What?</p>", "q"), commands, text("<p>Two.</p>"), text("<h3>More</h3>")];
  expect(hiddenParts(parts, {})).toEqual([false, true, true, false]);
});

test("hides the result of a question that is hidden itself", () => {
  const parts = [text("<p>What?</p>", "q"), commands, text("<p>Two. And then?</p>", "r"), commands];
  expect(hiddenParts(parts, {})).toEqual([false, true, true, true]);
  expect(hiddenParts(parts, { q: "one" })).toEqual([false, false, false, true]);
});
