import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { WorkbenchView } from "./protocol.ts";
import { openBrowserSession, openTestSocket } from "./testing/browser-session.ts";
import { block, name, type ServedPage, serveTestPage } from "./testing/serve-test-page.ts";

const open = serveTestPage();

describe("whatever a page of another site, or a stranger, sends", () => {
  async function effects({ workbench, course, learner }: ServedPage) {
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
