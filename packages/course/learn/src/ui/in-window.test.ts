import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { inWindow } from "./in-window.ts";

test("names steps and buttons instead of lines and commands", () => {
  const folder = mkdtempSync(join(tmpdir(), "in-window-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = ["1-one.md", "2-two.md"].map((name, i) => {
    const path = join(folder, name);
    writeFileSync(path, `---\ntitle: T\nproject: p\n---\n\n## First\n\ntext\n\n## Second ${i}\n\ntext\n`);
    return { name: `01-x/${i + 1}`, path };
  });
  const say = (text: string): string => inWindow({ ok: true, text }, files[0]?.path ?? "", files).text;
  expect(say('Right so far: step 1 of 2, "First". Next: "Second 0" (1-one.md:10)')).toBe(
    'Right so far: step 1 of 2, "First". Next: "Second 0"',
  );
  expect(say("The page shows it at 1-one.md:8")).toBe('The page shows it in the step "First"');
  expect(say("Next: src/a.ts (2-two.md:12)")).toBe('Next: src/a.ts (the step "Second 1" of 01-x/2)');
  expect(say("Write it, or let `catch-up` write it.")).toBe('Write it, or let "Catch up to here" write it.');
  expect(say("or make its objects with `catch-up first`.")).toBe(
    'or make its objects with "Catch up to here".',
  );
  expect(say("`learn diff src/a.ts` shows the file.")).toBe('"Show mine beside it" shows the file.');
});
