import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openInEditor } from "./open-in-editor.ts";
import { testLearner } from "./testing/learner.ts";

/** A PATH with these editors, which write down their arguments. */
function open(names: readonly string[], status = 0) {
  const { folder, project } = testLearner();
  const bin = join(folder, "bin");
  const log = join(folder, "log");
  mkdirSync(bin);
  for (const name of names) {
    const script = `#!/bin/sh\nprintf '%s\\n' ${name} "$@" > '${log}'\nexit ${status}\n`;
    writeFileSync(join(bin, name), script, { mode: 0o755 });
  }
  const file = join(project, "src/a b.ts");
  return {
    ...{ bin, file, project },
    openWith: (env: NodeJS.ProcessEnv = {}) =>
      openInEditor({ file, line: 7, folder: project, env: { PATH: bin, ...env } }),
    started: () => (existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : []),
  };
}

test("opens the file at its line in the first editor on the PATH", async () => {
  const { openWith, started, file, project } = open(["idea", "cursor"]);
  expect(await openWith()).toEqual({ ok: true, text: "Opened in cursor." });
  expect(started()).toEqual(["cursor", project, "--goto", `${file}:7`]);
});

test.each([
  ["idea", ["--line", "7", "FILE"]],
  ["zed", ["PROJECT", "FILE:7"]],
  ["gvim", ["+7", "FILE"]],
])("gives %s the line as it takes it", async (name, args) => {
  const { openWith, started, file, project } = open([name]);
  await openWith();
  const named = started().map((word) => word.replace(file, "FILE").replace(project, "PROJECT"));
  expect(named).toEqual([name, ...args]);
});

test("prefers VISUAL to EDITOR, and both to the PATH", async () => {
  const { openWith, started, bin } = open(["code", "idea", "kate"]);
  await openWith({ VISUAL: "idea", EDITOR: "kate" });
  expect(started()[0]).toBe("idea");
  await openWith({ VISUAL: "", EDITOR: `'${join(bin, "kate")}' --new` });
  expect(started().slice(0, 3)).toEqual(["kate", "--new", "--line"]);
});

test("opens an editor that it does not know with the file alone", async () => {
  const { openWith, started, file } = open(["code", "my-editor"]);
  await openWith({ EDITOR: "my-editor" });
  expect(started()).toEqual(["my-editor", file]);
});

test("passes over an editor that needs a terminal", async () => {
  const { openWith, started } = open(["code", "vim"]);
  await openWith({ EDITOR: "vim" });
  expect(started()[0]).toBe("code");
});

test("gives VISUAL to no shell", async () => {
  const { openWith, started, file } = open(["code", "my-editor"]);
  await openWith({ VISUAL: "my-editor ; touch $(code) && `code`" });
  expect(started()).toEqual(["my-editor", ";", "touch", "$(code)", "&&", "`code`", file]);
});

test.each([
  [{}, /^No editor with a window.*VISUAL=code/],
  [{ EDITOR: "vim" }, /^"vim" needs a terminal.*VISUAL=code/],
])("says what to do without an editor, %j", async (env, text) => {
  expect(await open([]).openWith(env)).toEqual({ ok: false, text: expect.stringMatching(text) });
});

test("says that an editor failed", async () => {
  expect(await open(["code"], 3).openWith()).toEqual({ ok: false, text: "code ended with exit status 3." });
});
