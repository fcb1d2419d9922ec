import { expect, test } from "vitest";
import type { CommandsPart, Part } from "../page/page-view.ts";
import { askedNow, openParts } from "./questions.ts";

const entry = { kind: "command", html: "", text: "", expected: "", exitStatus: undefined } as const;
const commands = (id: string): CommandsPart => ({
  ...{ kind: "commands", id, hash: "", terminal: "main", entries: [entry] },
});
const text = (html: string, question?: string): Part => ({
  ...{ kind: "text", html },
  ...(question !== undefined && { question }),
});
const [before, asked, after] = [commands("s/1"), commands("s/2"), commands("s/3")];
const parts = [before, text("What?", "q"), asked, text("Two. And then?", "r"), after];

test("a step ends at its first unanswered question, with the commands that it asks about", () => {
  expect(openParts(parts, {}, {})).toEqual({ parts: parts.slice(0, 3), covered: 1, hasMore: true });
  expect(openParts(parts, { q: "two" }, {})).toEqual({ parts, covered: 1, hasMore: false });
  expect(openParts(parts, { q: "two", r: "" }, {})).toEqual({ parts, covered: 0, hasMore: false });
});

test("a question hides nothing whose command the learner has typed themselves", () => {
  const typed = { "s/1#0": { status: "done" }, "s/2#0": { status: "done" } } as const;
  expect(openParts(parts, {}, typed)).toEqual({ parts, covered: 1, hasMore: false });
  expect(askedNow(parts, {}, typed)).toBe("r");
});

test("a question stays when a running program prints by itself what it asks about", () => {
  const entries = [{ ...entry, kind: "output" } as const, { ...entry, kind: "interrupt" } as const];
  const some = [text("What?", "q"), { ...commands("s/2"), entries }, text("Two."), after];
  const printed = { "s/2#0": { status: "done" } } as const;
  expect(openParts(some, {}, printed)).toEqual({ parts: some.slice(0, 2), covered: 1, hasMore: true });
  expect(askedNow(some, {}, printed)).toBe("q");
  const stopped = { ...printed, "s/2#1": { status: "running" } } as const;
  expect(openParts(some, {}, stopped).hasMore).toBe(false);
});

test("a question is asked once the last command above it has begun", () => {
  expect(askedNow(parts, {}, {})).toBeUndefined();
  expect(askedNow(parts, {}, { "s/1#0": { status: "running" } })).toBe("q");
  expect(askedNow(parts, { q: "two" }, { "s/1#0": { status: "done" } })).toBeUndefined();
  expect(askedNow(parts, { q: "two", r: "" }, { "s/1#0": { status: "done" } })).toBeUndefined();
});

test("a question without a command above it is asked at once", () => {
  expect(askedNow(parts.slice(1), {}, {})).toBe("q");
});
