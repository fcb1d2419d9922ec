import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testLearner } from "./testing/learner.ts";
import { block, name, serveTestPage } from "./testing/serve-test-page.ts";

const open = serveTestPage();

test("runs a command of the page, and shows its output and its result to every browser", async () => {
  const { session, view } = await open();
  const socket = await session.connect();
  const { status, body: state } = await session.post("/api/run", name(block(await view(), "run", 0)));
  expect({ status, state }).toEqual({ status: 200, state: { status: "done" } });
  await expect
    .poll(() => socket.messages)
    .toContainEqual({ type: "action", key: "run/1#0", state: { status: "done" } });
  const output = socket.messages.map((message) => (message.type === "output" ? message.data : "")).join("");
  expect(output).toContain("echo one");
  expect((await view()).actions).toEqual({ "run/1#0": { status: "done" } });
  socket.close();
});

test("sends something each second, so that a browser notices a server that hangs", async () => {
  const { session } = await open();
  const socket = await session.connect();
  const beats = () => socket.messages.filter(({ type }) => type === "alive").length;
  await expect.poll(beats, { timeout: 10_000 }).toBeGreaterThan(1);
  socket.close();
});

test("finishes a step with its last action", async () => {
  const { session, view, course } = await open();
  const before = await view();
  expect(before).toMatchObject({ place: "introduction", steps: { run: "to do" } });
  await session.post("/api/run", name(block(before, "run", 0)));
  expect(course.finished).toEqual(new Set());
  await session.post("/api/run", name(block(before, "run", 1)));
  await expect.poll(() => course.finished).toEqual(new Set(["run"]));
  expect(course.saves.count).toBeGreaterThan(0);
  expect(await view()).toMatchObject({ place: "write", steps: { run: "done", write: "to do" } });
});

test("goes on at the same step after the server was killed", async () => {
  const first = await open();
  const view = await first.view();
  await first.session.post("/api/run", name(block(view, "run", 0)));
  await first.session.post("/api/answer", { question: "think?1", text: "two" });
  const again = await open(first.learner);
  expect(await again.view()).toMatchObject({
    ...{ place: "run", actions: { "run/1#0": { status: "done" } }, answers: { "think?1": "two" } },
  });
});

test("shows a terminal's output again after a reload", async () => {
  const { session, view } = await open();
  await session.post("/api/run", name(block(await view(), "run", 0)));
  const socket = await session.connect();
  socket.send({ type: "open", terminal: "main" });
  await expect
    .poll(() => socket.messages)
    .toContainEqual({ type: "scrollback", terminal: "main", data: expect.stringContaining("echo one") });
  socket.send({ type: "resize", terminal: "main", columns: 77, rows: 20 });
  socket.send({ type: "input", terminal: "main", data: "echo $COLUMNS-own\r" });
  await expect
    .poll(() => socket.messages.map((message) => ("data" in message ? message.data : "")).join(""))
    .toContain("77-own");
  socket.close();
});

test("writes a file and applies an edit, and saves what the learner had", async () => {
  const { session, view, learner, course } = await open();
  const [write, edit] = [name(block(await view(), "write", 0)), name(block(await view(), "write", 1))];
  expect(await session.post("/api/apply", edit)).toMatchObject({
    ...{ status: 409, body: { message: expect.stringContaining("does not fit your src/a.ts") } },
  });
  expect(await session.post("/api/apply", write)).toMatchObject({ status: 200 });
  expect(await session.post("/api/apply", edit)).toMatchObject({ status: 200, body: { line: 1 } });
  const file = join(learner.project, "src/a.ts");
  expect(readFileSync(file, "utf8")).toBe("const a = 2;\n");
  writeFileSync(file, "mine\n");
  await session.post("/api/apply", write);
  expect(course.asked).toEqual(["keep src/a.ts: mine\n"]);
  expect(readFileSync(file, "utf8")).toBe("const a = 1;\n");
});

test("recognizes an edit that the learner has typed", async () => {
  const { session, view, workbench } = await open();
  const [write, edit] = [name(block(await view(), "write", 0)), name(block(await view(), "write", 1))];
  await session.post("/api/apply", write);
  await workbench.files.write("src/a.ts", "const a = 2;\n");
  await expect.poll(async () => (await view()).actions["write/2#0"]).toEqual({ status: "done" });
  expect(await session.post("/api/apply", edit)).toMatchObject({
    ...{ status: 200, body: { text: "src/a.ts has this edit already." } },
  });
});

test("applies an edit to code that is formatted in another way", async () => {
  const { session, view, workbench } = await open();
  const edit = name(block(await view(), "write", 1));
  await workbench.files.write("src/a.ts", "const b = 'mine'\nconst a = 1\n");
  expect(await session.post("/api/apply", edit)).toMatchObject({ status: 200 });
  expect((await workbench.files.read("src/a.ts"))?.text).toBe("const b = 'mine'\nconst a = 2;\n");
});

test("shows where an edit would go that does not fit", async () => {
  const { session, view, workbench } = await open();
  const { id, hash } = block(await view(), "write", 2);
  await workbench.files.write("src/c.ts", "one();\nmine();\n");
  expect(await session.get(`/api/compare?id=${encodeURIComponent(id)}&hash=${hash}`)).toMatchObject({
    body: {
      ...{ mine: "one();\nmine();\n", page: "one();\nthree();\n" },
      problem: 'the file does not have this line here: "two();"',
    },
  });
});

test("opens beside a file of the learner that is too large for the editor", async () => {
  const { view, learner } = await open();
  writeFileSync(join(learner.project, "heap.json"), "x".repeat(1_100_000));
  expect((await view()).files).toContain("heap.json");
});

test("recognizes a file that was written in another editor", async () => {
  const { view, workbench } = await open();
  await workbench.files.write("src/a.ts", "const a = 1;");
  await expect.poll(async () => (await view()).actions["write/1#0"]).toEqual({ status: "done" });
});

test("shows the page's file beside the learner's", async () => {
  const { session, view, workbench } = await open();
  await workbench.files.write("src/a.ts", "const a = 1; // mine\n");
  const { id, hash } = block(await view(), "write", 0);
  expect(await session.get(`/api/compare?id=${encodeURIComponent(id)}&hash=${hash}`)).toMatchObject({
    body: { path: "src/a.ts", mine: "const a = 1; // mine\n", page: "const a = 1;\n" },
  });
});

test("shows the page's file beside what the learner has not saved", async () => {
  const { session, view, workbench } = await open();
  await workbench.files.write("src/a.ts", "saved\n");
  await session.post("/api/draft", { path: "src/a.ts", text: "unsaved\n", version: "none" });
  const { id, hash } = block(await view(), "write", 0);
  expect(await session.get(`/api/compare?id=${encodeURIComponent(id)}&hash=${hash}`)).toMatchObject({
    body: { mine: "unsaved\n", page: "const a = 1;\n" },
  });
});

test("keeps an unsaved text for the next server, until it is saved", async () => {
  const first = await open();
  const draft = { path: "src/a.ts", text: "mine", version: "none" };
  await first.session.post("/api/draft", { ...draft, text: "min" });
  await first.session.post("/api/draft", draft);
  const { session, view, learner } = await open(first.learner);
  expect((await view()).drafts).toEqual(["src/a.ts"]);
  const read = async () => (await session.get("/api/file?path=src/a.ts")).body;
  expect(await read()).toMatchObject({ text: "", draft: { text: "mine", version: "none" } });
  expect(existsSync(join(learner.project, "src/a.ts"))).toBe(false);
  await session.post("/api/file", { path: "src/a.ts", text: "mine", base: "none" });
  expect(await read()).toEqual({ path: "src/a.ts", text: "mine", version: expect.any(String) });
  expect((await view()).drafts).toEqual([]);
});

test("loses neither text when a file and its draft differ", async () => {
  const { session, workbench, course } = await open();
  const { version } = await workbench.files.write("a.ts", "theirs");
  const save = (body: object) => session.post("/api/file", { path: "a.ts", text: "mine", ...body });
  expect(await save({ base: "none" })).toMatchObject({ status: 409 });
  expect(await save({ base: "none", replaces: true })).toMatchObject({ status: 409 });
  expect((await workbench.files.read("a.ts"))?.text).toBe("theirs");
  expect(await save({ base: version, replaces: true })).toMatchObject({ body: { kept: "saved/a.ts" } });
  await session.post("/api/draft/drop", { path: "a.ts", text: "another" });
  expect(course.asked.at(-1)).toBe("keep a.ts: another");
  expect(course.asked).toContain("keep a.ts: theirs");
});

test("does exercises, and marks one whose check fails", async () => {
  const { session, view, course } = await open();
  const exercise = name(block(await view(), "try", 0));
  await session.post("/api/exercise", { ...exercise, action: "begin" });
  await session.post("/api/exercise", { ...exercise, action: "check" });
  expect(course.asked).toEqual(["exercise try 1 begin", "exercise try 1 check"]);
  expect((await view()).actions["try/1#0"]).toMatchObject({
    ...{ status: "differs", message: "exercise try 1 check", line: 1 },
    tests: [{ name: "counts" }, { name: "forgets", values: { expected: "3", received: "0" } }],
  });
});

test("checks, says what runs meanwhile, catches up, and counts what that finished", async () => {
  const { session, view, course } = await open();
  const socket = await session.connect();
  course.finished.add("write");
  expect(await session.post("/api/check", { step: "write" })).toMatchObject({
    body: { ok: true, text: "check write" },
  });
  await expect.poll(() => socket.messages).toContainEqual({ type: "doing", what: "checking the types" });
  expect(await session.post("/api/catch-up", { step: "try" })).toMatchObject({ status: 200 });
  expect((await view()).steps).toMatchObject({ write: "done", run: "to do" });
});

test("a check finishes no step whose commands have not run, but its files, and the learner may count it", async () => {
  const { session, view } = await open();
  expect(await session.post("/api/check", { step: "write" })).toMatchObject({
    body: { ok: true, left: { step: "run", commands: 2 } },
  });
  const checked = await view();
  expect(checked.steps).toMatchObject({ run: "to do", write: "done" });
  expect(checked.actions["run/1#0"]).toBeUndefined();
  expect(checked.actions["write/1#0"]).toEqual({ status: "done" });
  await session.post("/api/finish", { step: "run" });
  expect((await view()).steps).toMatchObject({ run: "done" });
  const { body } = await session.post("/api/check", { step: "write" });
  expect(body).not.toHaveProperty("left");
});

test("shows what an operator in a terminal reconciles on the time line", async () => {
  const { session, workbench } = await open();
  const socket = await session.connect();
  socket.send({ type: "open", terminal: "operator" });
  const queue = 'diagnostics_channel.channel("operator-path:workqueue:taken")';
  const program = `${queue}.publish({ queue: "", key: "shop/web" })`;
  socket.send({ type: "input", terminal: "operator", data: `node -e '${program}'\r` });
  await expect
    .poll(() => workbench.model.history.entries.filter(({ type }) => type === "reconcile"))
    .toMatchObject([{ namespace: "shop", name: "web" }]);
  socket.close();
});

test("reports type errors over the socket, also after a change on disk", async () => {
  const { session, workbench } = await open();
  const compilerOptions = { strict: true, module: "nodenext", types: [] };
  await workbench.files.write("tsconfig.json", JSON.stringify({ compilerOptions }));
  const socket = await session.connect();
  const errors = () =>
    socket.messages.flatMap((message) =>
      message.type === "language" && "params" in message.message ? [message.message.params] : [],
    );
  const textDocument = { uri: "file:///src/b.ts", languageId: "typescript", version: 0 };
  const text = 'import { a } from "./a.js";\nexport const b: number = a;';
  const params = { textDocument: { ...textDocument, text } };
  socket.send({ type: "language", message: { jsonrpc: "2.0", method: "textDocument/didOpen", params } });
  const missing = { severity: 1, message: expect.stringContaining("Cannot find module './a.js'") };
  await expect.poll(() => errors().at(-1)).toMatchObject({ version: 0, diagnostics: [missing] });
  await workbench.files.write("src/a.ts", 'export const a = "x";\n');
  const wrong = { range: { start: { line: 1 } }, message: expect.stringContaining("not assignable") };
  await expect.poll(() => errors().at(-1)).toMatchObject({ uri: textDocument.uri, diagnostics: [wrong] });
  socket.close();
});

test("opens a file in the learner's editor, and only one of their folder", async () => {
  const learner = testLearner();
  const [editor, log] = [join(learner.folder, "my-editor"), join(learner.folder, "log")];
  writeFileSync(editor, `#!/bin/sh\necho "$@" > '${log}'\n`, { mode: 0o755 });
  const shell = { ...learner.shell, env: { ...learner.shell.env, VISUAL: editor } };
  const { session, workbench } = await open({ ...learner, shell });
  await workbench.files.write("a.ts", "a");
  const openAt = (path: string) => session.post("/api/open-in-editor", { path, line: 1 });
  expect(await openAt("../session.bashrc")).toMatchObject({ status: 403 });
  expect(await openAt("missing.ts")).toMatchObject({ status: 409 });
  expect(existsSync(log)).toBe(false);
  expect(await openAt("a.ts")).toEqual({ status: 200, body: { ok: true, text: "Opened in my-editor." } });
  expect(readFileSync(log, "utf8")).toBe(`${join(learner.project, "a.ts")}\n`);
});

test("kills the operator, and says so when none runs", async () => {
  const { session, view, workbench } = await open();
  const kill = () => session.post("/api/fault", { name: "kill-operator" });
  expect((await kill()).body).toMatchObject({ ok: false });
  await session.post("/api/run", name(block(await view(), "run", 1)));
  expect((await kill()).body).toMatchObject({ ok: true });
  await expect.poll(() => workbench.terminals.find("operator")?.status()).toBe(137);
});
