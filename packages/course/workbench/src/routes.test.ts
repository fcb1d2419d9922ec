import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EmbeddedCluster, startEmbeddedCluster } from "@operator-path/cluster";
import { createUiServer, type UiServer, type WebBundle } from "@operator-path/ui";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openMemory } from "./memory.ts";
import type { CommandsPart, FilePart, Part } from "./page/page-view.ts";
import type { WorkbenchView } from "./protocol.ts";
import { serveWorkbench } from "./routes.ts";
import { type BrowserSession, openBrowserSession, openTestSocket } from "./testing/browser-session.ts";
import { type TestLearner, testLearner } from "./testing/learner.ts";
import { type TestCourse, testCourse } from "./testing/test-course.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

const fence = "```";
const body = `## Run

${fence}console
$ echo one
one
${fence}

${fence}console terminal=operator running
$ (echo started; sleep 1000)
started
${fence}

## Write

\`src/a.ts\`
${fence}ts file
const a = 1;
${fence}

\`src/a.ts\`
${fence}diff
-const a = 1;
+const a = 2;
${fence}

## Think

What will it print?

## Try

The test [\`adds\`](p/src/b.test.ts) fails.

\`src/b.ts\`
${fence}ts exercise
export const b = 0;
${fence}
`;

interface Bench {
  readonly learner: TestLearner;
  readonly course: TestCourse;
  readonly server: UiServer;
  readonly session: BrowserSession;
  readonly workbench: Workbench;
  view(): Promise<WorkbenchView>;
}

const bundle: WebBundle = {
  files: new Map([["/assets/main.js", { type: "text/javascript", body: Buffer.from("") }]]),
  ...{ script: "/assets/main.js", styles: [], preload: [] },
};

let cluster: EmbeddedCluster;
beforeAll(async () => {
  cluster = await startEmbeddedCluster();
});
afterAll(() => cluster.stop());

async function open(learner = testLearner()): Promise<Bench> {
  const course = testCourse(body, learner, cluster);
  const workbench = await openWorkbench("t/1", {
    ...{ course, memory: openMemory(join(learner.folder, "workbench.json")) },
    ...{ shortPath: () => "p", signal: AbortSignal.timeout(600_000) },
  });
  const server = await createUiServer({ bundle, title: "t", log: () => {} });
  onTestFinished(async () => {
    await server.close();
    await workbench[Symbol.asyncDispose]();
  });
  serveWorkbench(server, { current: () => workbench, open: async () => workbench });
  const session = await openBrowserSession(server);
  const view = async () => (await session.get("/api/workbench")).body as WorkbenchView;
  return { learner, course, server, session, workbench, view };
}

function block(view: WorkbenchView, step: string, index: number): CommandsPart | FilePart {
  const parts = view.page.steps.find(({ slug }) => slug === step)?.parts ?? [];
  const found = parts.filter(isBlock)[index];
  if (!found) throw new Error(`${step} has no block ${index}`);
  return found;
}

function isBlock(part: Part): part is CommandsPart | FilePart {
  return "id" in part;
}

function name(part: CommandsPart | FilePart): { id: string; hash: string } {
  return { id: part.id, hash: part.hash };
}

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
  expect(await session.post("/api/apply", edit)).toMatchObject({ status: 200 });
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

test("opens beside a file of the learner that is too large for the editor", async () => {
  const { view, learner } = await open();
  writeFileSync(join(learner.project, "heap.json"), "x".repeat(1_100_000));
  expect((await view()).files).toContain("heap.json");
});

test("recognizes a file that was written in another editor", async () => {
  const { view, workbench } = await open();
  await workbench.files.write("src/a.ts", "const a = 1;\n");
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
  expect((await view()).actions["try/1#0"]).toEqual({ status: "differs", message: "exercise try 1 check" });
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

describe("whatever a page of another site, or a stranger, sends", () => {
  async function effects({ workbench, course, learner }: Bench) {
    return {
      terminals: workbench.terminals.names(),
      asked: course.asked,
      files: workbench.files.list(),
      folder: readFileSync(join(learner.folder, "session.bashrc"), "utf8").includes("changed"),
    };
  }
  const none = { terminals: [], asked: [], files: [], folder: false };
  const mutations = (view: WorkbenchView): [string, object][] => [
    ["/api/run", name(block(view, "run", 0))],
    ["/api/apply", name(block(view, "write", 0))],
    ["/api/exercise", { ...name(block(view, "try", 0)), action: "solution" }],
    ["/api/check", {}],
    ["/api/catch-up", { step: "write" }],
    ["/api/finish", { step: "run" }],
    ["/api/answer", { question: "q", text: "t" }],
    ["/api/file", { path: "x.ts", text: "x", base: "none" }],
    ["/api/draft", { path: "x.ts", text: "x", version: "none" }],
    ["/api/draft/drop", { path: "x.ts", text: "x" }],
    ["/api/open-in-editor", { path: "x.ts", line: 1 }],
    ["/api/fault", { name: "kill-operator" }],
    ["/api/page", { name: "t/1" }],
  ];

  test("no mutation happens from another origin, without the token or as a form", async () => {
    const bench = await open();
    const view = await bench.view();
    const wrong: Record<string, string>[] = [
      { origin: "http://evil.example" },
      { origin: "null" },
      { "x-csrf-token": "guessed" },
      { cookie: "none" },
      { "content-type": "text/plain" },
    ];
    for (const [path, what] of mutations(view))
      for (const headers of wrong) {
        const { status } = await bench.session.post(path, what, headers);
        expect([401, 403, 415], `${path} ${JSON.stringify(headers)}`).toContain(status);
      }
    expect(await effects(bench)).toEqual(none);
    expect(bench.course.finished).toEqual(new Set());
  });

  test("no command's text is accepted, and no outdated or invented place", async () => {
    const bench = await open();
    const place = name(block(await bench.view(), "run", 0));
    const attempts = [
      { ...place, command: "touch /tmp/x" },
      { ...place, text: "touch /tmp/x" },
      { ...place, hash: "0".repeat(32) },
      { ...place, entry: 7 },
      { ...place, entry: -1 },
      { ...place, id: "run/1; touch /tmp/x" },
      { ...place, id: "__proto__" },
      "touch /tmp/x",
    ];
    for (const attempt of attempts)
      expect([400, 409]).toContain((await bench.session.post("/api/run", attempt)).status);
    expect(await effects(bench)).toEqual(none);
  });

  test.each(["../session.bashrc", "/etc/passwd", "src/../../session.bashrc", "..%2fsession.bashrc/../x"])(
    "no file outside of the learner's folder is read or written: %s",
    async (path) => {
      const bench = await open();
      const read = await bench.session.get(`/api/file?path=${encodeURIComponent(path)}`);
      expect(read.status).toBe(403);
      expect(JSON.stringify(read.body)).not.toContain("PS1");
      for (const [route, body] of [
        ["/api/file", { path, text: "changed", base: "none" }],
        ["/api/file", { path, text: "changed", base: "none", replaces: true }],
        ["/api/draft", { path, text: "changed", version: "none" }],
        ["/api/draft/drop", { path, text: "changed" }],
      ] as const)
        expect((await bench.session.post(route, body)).status).toBe(403);
      expect(await effects(bench)).toEqual(none);
    },
  );

  test("no keys reach a shell from another origin, or without the cookie", async () => {
    const bench = await open();
    const { cookie } = bench.session;
    const { origin } = bench.server;
    const wrong: Record<string, string>[] = [
      { cookie, origin: "http://evil.example" },
      { cookie },
      { origin },
      {},
    ];
    for (const headers of wrong)
      await expect(openTestSocket(bench.server, headers)).rejects.toThrow(/40[13]/);
    expect(await effects(bench)).toEqual(none);
  });

  test.each([
    ["not JSON", "touch x"],
    ["an unknown type", { type: "run", command: "touch x" }],
    ["a terminal that is a path", { type: "open", terminal: "../x" }],
    [
      "a command for the language server",
      {
        type: "language",
        message: { jsonrpc: "2.0", id: 1, method: "workspace/executeCommand", params: {} },
      },
    ],
    ["a huge screen", { type: "resize", terminal: "main", columns: 1e9, rows: 1 }],
  ])("a message that is %s closes the socket", async (_what, message) => {
    const bench = await open();
    const socket = await bench.session.connect();
    socket.send(message);
    expect(await socket.closed).toBe(1008);
    expect(await effects(bench)).toEqual(none);
  });

  test("no thirteenth terminal opens", async () => {
    const bench = await open();
    const socket = await bench.session.connect();
    for (let i = 0; i < 14; i++) socket.send({ type: "open", terminal: `t${i}` });
    expect(await socket.closed).toBe(1008);
    expect(bench.workbench.terminals.names()).toHaveLength(12);
  });

  test("two sessions run one command at a time in a terminal", async () => {
    const bench = await open();
    const other = await openBrowserSession(bench.server);
    const place = name(block(await bench.view(), "run", 0));
    const both = await Promise.all([bench.session, other].map((one) => one.post("/api/run", place)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});
