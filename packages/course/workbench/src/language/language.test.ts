import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openFiles } from "../files.ts";
import { testLearner } from "../testing/learner.ts";
import { openLanguage } from "./language.ts";
import { browserUri, type LanguageMessage, languageMessage } from "./messages.ts";

const tsconfig = {
  compilerOptions: { strict: true, module: "nodenext", target: "es2024", types: [], noEmit: true },
  include: ["src"],
};

interface Diagnostics {
  readonly uri: string;
  readonly version: number;
  readonly diagnostics: readonly { readonly message: string; readonly range: { start: { line: number } } }[];
}

/** A project with these files, its language server, and browsers with an editor. */
function open(files: Readonly<Record<string, string>>) {
  const { folder, project } = testLearner();
  const language = openLanguage({
    folder: project,
    files: openFiles(project),
    env: { PATH: process.env.PATH },
  });
  onTestFinished(() => language[Symbol.asyncDispose]());
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  for (const [path, text] of Object.entries({ "tsconfig.json": JSON.stringify(tsconfig), ...files }))
    write(path, text);
  return { folder, project, language, write, browser: () => openBrowser(language) };
}

function openBrowser(language: ReturnType<typeof openLanguage>) {
  const messages: LanguageMessage[] = [];
  const waiting = new Map<number, (message: LanguageMessage) => void>();
  const session = language.connect((message) => {
    messages.push(message);
    if ("id" in message) waiting.get(message.id)?.(message);
  });
  onTestFinished(() => session.close());
  let ids = 0;
  const send = (message: object): void =>
    session.receive(languageMessage.parse({ jsonrpc: "2.0", ...message }));
  const ask = (method: string, params: object): Promise<LanguageMessage> =>
    new Promise((resolve) => {
      const id = ++ids;
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  return {
    messages,
    session,
    ask,
    openUri: (uri: string, text: string) =>
      send({
        method: "textDocument/didOpen",
        params: { textDocument: { uri, languageId: "typescript", version: 0, text } },
      }),
    openFile(path: string, text: string) {
      this.openUri(browserUri(path), text);
    },
    change: (path: string, version: number, text: string) =>
      send({
        method: "textDocument/didChange",
        params: { textDocument: { uri: browserUri(path), version }, contentChanges: [{ text }] },
      }),
    close: (path: string) =>
      send({ method: "textDocument/didClose", params: { textDocument: { uri: browserUri(path) } } }),
    at: (method: string, path: string, character: number, line = 0) =>
      ask(method, { textDocument: { uri: browserUri(path) }, position: { line, character } }),
    /** The newest problems of a file: `LINE: MESSAGE`, from 1. */
    problems(path: string): string[] | undefined {
      const all = messages.flatMap((message) =>
        "method" in message && message.method === "textDocument/publishDiagnostics"
          ? [message.params as Diagnostics]
          : [],
      );
      const last = all.findLast(({ uri }) => uri === browserUri(path));
      return last?.diagnostics.map(({ message, range }) => `${range.start.line + 1}: ${message}`);
    },
  };
}

const mistake = "2: Type 'string' is not assignable to type 'number'.";

test("reports a type error with its line, until the text is fixed", async () => {
  const { browser } = open({ "src/a.ts": "" });
  const editor = browser();
  editor.openFile("src/a.ts", '\nexport const a: number = "x";');
  await expect.poll(() => editor.problems("src/a.ts")).toEqual([mistake]);
  editor.change("src/a.ts", 1, "\nexport const a: number = 1;");
  await expect.poll(() => editor.problems("src/a.ts")).toEqual([]);
});

test("shows types, completions and signatures, without a path of this machine", async () => {
  const { browser, folder } = open({ "src/a.ts": "" });
  const editor = browser();
  editor.openFile("src/a.ts", 'export const a = "x".at(0);');
  expect(await editor.at("textDocument/hover", "src/a.ts", 14)).toMatchObject({
    result: { contents: { value: expect.stringContaining("const a: string | undefined") } },
  });
  const completion = await editor.at("textDocument/completion", "src/a.ts", 21);
  expect(completion).toMatchObject({
    result: { items: expect.arrayContaining([expect.objectContaining({ label: "codePointAt" })]) },
  });
  expect(await editor.at("textDocument/signatureHelp", "src/a.ts", 24)).toMatchObject({
    result: { signatures: [{ label: "at(index: number): string | undefined" }] },
  });
  expect(JSON.stringify(editor.messages)).not.toContain(folder);
});

test("goes to a definition in the learner's files and in a package, and nowhere else", async () => {
  const { browser, folder, language } = open({
    "src/a.ts": "",
    "src/b.ts": "\nexport const b = 1;",
    "node_modules/kk/package.json": '{ "name": "kk", "types": "index.d.ts" }',
    "node_modules/kk/index.d.ts": "export declare const k: number;",
  });
  writeFileSync(join(folder, "secret.ts"), "export const secret = 1;");
  const editor = browser();
  const text = [
    'import { b } from "./b.js";',
    'import { k } from "kk";',
    'import { secret } from "../../secret.js";',
    'export const all = [b, k, secret, "x".at(0)];',
  ].join("\n");
  editor.openFile("src/a.ts", text);
  const definition = (character: number) => editor.at("textDocument/definition", "src/a.ts", character, 3);
  const start = { line: 1, character: 13 };
  expect(await definition(20)).toMatchObject({ result: [{ uri: "file:///src/b.ts", range: { start } }] });
  expect(await definition(23)).toMatchObject({
    result: [{ uri: "library:///0/kk/index.d.ts", range: { start: { line: 0, character: 21 } } }],
  });
  expect(await language.library.read(0)).toBe("export declare const k: number;");
  expect(await definition(27)).toMatchObject({ result: [] });
  expect(await definition(39)).toMatchObject({
    result: [{ uri: expect.stringMatching(/^library:\/\/\/1\/.*lib\.es\S+\.d\.ts$/) }],
  });
  for (const id of [-1, 2, 0.5, Number.NaN]) expect(await language.library.read(id)).toBeUndefined();
  expect(JSON.stringify(editor.messages)).not.toContain(folder);
});

test("renames in all of the learner's files, and nothing of a package", async () => {
  const { browser, folder } = open({
    "src/a.ts": "export const one = 1;",
    "src/b.ts": 'import { one } from "./a.js";\nexport const two = one + 1;',
    "node_modules/kk/package.json": '{ "name": "kk", "types": "index.d.ts" }',
    "node_modules/kk/index.d.ts": "export declare const k: number;",
  });
  const editor = browser();
  editor.openFile(
    "src/a.ts",
    'export const one = 1;\nimport { k } from "kk";\nexport const l = k;\n"x".at(0);',
  );
  const rename = (line: number, character: number) =>
    editor.ask("textDocument/rename", {
      textDocument: { uri: browserUri("src/a.ts") },
      ...{ position: { line, character }, newName: "first" },
    });
  const edit = (line: number, from: number) => ({
    ...{ newText: "first", range: { start: { line, character: from }, end: { line, character: from + 3 } } },
  });
  expect(await rename(0, 14)).toMatchObject({
    result: {
      changes: { "file:///src/a.ts": [edit(0, 13)], "file:///src/b.ts": [edit(0, 9), edit(1, 19)] },
    },
  });
  expect(await rename(2, 17)).toMatchObject({ result: { changes: { "file:///src/a.ts": [{}, {}] } } });
  expect(await rename(3, 5)).toMatchObject({ result: { changes: {} } });
  expect(JSON.stringify(editor.messages)).not.toContain(folder);
});

test("brings the import with a completion, and as a quick fix", async () => {
  const { browser, folder } = open({
    "package.json": '{ "type": "module" }',
    ...{ "src/a.ts": "", "src/pods.ts": "export const watchPods = 1;" },
  });
  const editor = browser();
  editor.openFile("src/a.ts", "export const a = watchP;");
  const list = await editor.at("textDocument/completion", "src/a.ts", 23);
  const { items } = (
    list as unknown as { result: { items: { label: string; data?: number; detail?: string }[] } }
  ).result;
  const item = items.find(({ label }) => label === "watchPods");
  expect(item).toMatchObject({ detail: "./pods.js", data: expect.any(Number) });
  const added = { newText: expect.stringMatching(/^import { watchPods } from "\.\/pods\.js";\s*$/) };
  const textDocument = { uri: browserUri("src/a.ts") };
  expect(await editor.ask("completionItem/resolve", { textDocument, data: item?.data })).toMatchObject({
    result: { additionalTextEdits: [added] },
  });
  expect(await editor.ask("completionItem/resolve", { textDocument, data: 999_999 })).toMatchObject({
    result: null,
  });
  editor.change("src/a.ts", 1, "export const a = watchPods;");
  expect(await editor.at("textDocument/codeAction", "src/a.ts", 20)).toMatchObject({
    result: expect.arrayContaining([
      { title: 'Add import from "./pods.js"', edits: [expect.objectContaining(added)] },
    ]),
  });
  expect(JSON.stringify(editor.messages)).not.toContain(folder);
});

test("corrects a misspelt name as a quick fix", async () => {
  const { browser } = open({
    ...{ "package.json": '{ "type": "module" }', "src/a.ts": "" },
    "src/tools.ts": "export const isInstalled = true;",
  });
  const editor = browser();
  const fixes = async (character: number) =>
    (await editor.at("textDocument/codeAction", "src/a.ts", character)) as unknown as { result: unknown };
  const change = (from: number, to: number, newText: string) => ({
    title: `Change spelling to '${newText}'`,
    edits: [{ newText, range: { start: { line: 0, character: from }, end: { line: 0, character: to } } }],
  });
  editor.openFile("src/a.ts", 'import { isInstaled } from "./tools.js"; export const a = isInstaled;');
  expect(await fixes(12)).toMatchObject({ result: [change(9, 19, "isInstalled")] });
  editor.change("src/a.ts", 1, "const isInstalled = true; export const b = isInstaled && isInstalled;");
  expect(await fixes(45)).toMatchObject({ result: [change(43, 53, "isInstalled")] });
  editor.change("src/a.ts", 2, 'export const c = "x".trimm();');
  expect(await fixes(22)).toMatchObject({ result: [change(21, 26, "trim")] });
  expect(await fixes(3)).toMatchObject({ result: [] });
});

test("sees files that are made, changed and deleted on disk", async () => {
  const { browser, write, project, language } = open({ "src/a.ts": "" });
  const editor = browser();
  const missing = "1: Cannot find module './b.js' or its corresponding type declarations.";
  editor.openFile("src/a.ts", 'import { b } from "./b.js"; export const a: number = b;');
  await expect.poll(() => editor.problems("src/a.ts")).toEqual([missing]);
  write("src/b.ts", "export const b = 1;");
  language.changed("src/b.ts");
  await expect.poll(() => editor.problems("src/a.ts")).toEqual([]);
  write("src/b.ts", 'export const b = "x";');
  language.changed("src/b.ts");
  await expect
    .poll(() => editor.problems("src/a.ts"))
    .toEqual(["1: Type 'string' is not assignable to type 'number'."]);
  rmSync(join(project, "src/b.ts"));
  language.changed("src/b.ts");
  await expect.poll(() => editor.problems("src/a.ts")).toEqual([missing]);
});

test("finds packages after an installation", async () => {
  const { browser, write } = open({ "src/a.ts": "" });
  const editor = browser();
  editor.openFile("src/a.ts", 'import { k } from "kk"; export const a: number = k;');
  await expect.poll(() => editor.problems("src/a.ts")).toHaveLength(1);
  write("node_modules/kk/package.json", '{ "name": "kk", "types": "index.d.ts" }');
  write("node_modules/kk/index.d.ts", "export declare const k: number;");
  write("node_modules/.modules.yaml", "");
  await expect.poll(() => editor.problems("src/a.ts")).toEqual([]);
});

test("starts again after a crash, with the open files", async () => {
  const { browser, language } = open({ "src/a.ts": "" });
  const editor = browser();
  editor.openFile("src/a.ts", '\nexport const a: number = "x";');
  await expect.poll(() => editor.problems("src/a.ts")).toEqual([mistake]);
  const { pid = 0 } = language;
  editor.messages.length = 0;
  process.kill(pid, "SIGKILL");
  await expect.poll(() => editor.problems("src/a.ts")).toEqual([mistake]);
  expect(language.pid).not.toBe(pid);
  expect(await editor.at("textDocument/hover", "src/a.ts", 14, 1)).toMatchObject({
    result: { contents: { value: expect.stringContaining("const a: number") } },
  });
});

test("says so and stays down after three crashes, until a browser connects", async () => {
  const { browser, language } = open({ "src/a.ts": "" });
  const editor = browser();
  editor.openFile("src/a.ts", '\nexport const a: number = "x";');
  for (let crash = 0; crash < 3; crash++) {
    await expect.poll(() => editor.problems("src/a.ts")).toEqual([mistake]);
    editor.messages.length = 0;
    process.kill(language.pid ?? 0, "SIGKILL");
  }
  await expect
    .poll(() => editor.messages)
    .toContainEqual(expect.objectContaining({ method: "window/showMessage" }));
  expect(editor.problems("src/a.ts")).toEqual([]);
  expect(await editor.at("textDocument/hover", "src/a.ts", 14, 1)).toMatchObject({ result: null });
  expect(language.pid).toBeUndefined();
  const reloaded = browser();
  reloaded.openFile("src/a.ts", '\nexport const a: number = "x";');
  await expect.poll(() => reloaded.problems("src/a.ts")).toEqual([mistake]);
});

test("keeps the texts of two browsers apart", async () => {
  const { browser } = open({ "src/a.ts": "export const a = 1;" });
  const [one, two] = [browser(), browser()];
  one.openFile("src/a.ts", "export const a = 1;");
  two.openFile("src/a.ts", 'export const a = "x";');
  const type = async (editor: typeof one) =>
    JSON.stringify(await editor.at("textDocument/hover", "src/a.ts", 14));
  const both = await Promise.all([type(one), type(two), type(one)]);
  expect(both.map((text) => /const a: [a-z0-9]+|const a = [^\\]+|const a: \\"x\\"/.exec(text)?.[0])).toEqual([
    "const a: 1",
    'const a: \\"x\\"',
    "const a: 1",
  ]);
});

test("reads a file from disk again when no browser has it open", async () => {
  const { browser } = open({ "src/a.ts": "export const a = 1;" });
  const editor = browser();
  editor.openFile("src/a.ts", 'export const a = "x";');
  editor.openFile("src/b.ts", 'import { a } from "./a.js"; export const b: number = a;');
  await expect.poll(() => editor.problems("src/b.ts")).toHaveLength(1);
  editor.close("src/a.ts");
  editor.change("src/b.ts", 1, 'import { a } from "./a.js"; export const b: number = a; ');
  await expect.poll(() => editor.problems("src/b.ts")).toEqual([]);
});

test("drops answers to a browser that started anew", async () => {
  const { browser } = open({ "src/a.ts": "" });
  const editor = browser();
  editor.openFile("src/a.ts", "export const a = 1;");
  void editor.at("textDocument/hover", "src/a.ts", 14);
  await editor.ask("initialize", {});
  editor.openFile("src/a.ts", "export const a = 1;");
  await editor.at("textDocument/hover", "src/a.ts", 14);
  expect(editor.messages.flatMap((message) => ("id" in message ? [message.id] : []))).toEqual([2, 3]);
});

test.each([
  "../secret.ts",
  "src/../../secret.ts",
  "/etc/passwd",
  "%2e%2e/secret.ts",
  "..%2Fsecret.ts",
  "..%5Csecret.ts",
  "/localhost/etc/passwd",
  "node_modules/x.ts",
  ".git/x.ts",
  "link.ts",
  "linked/secret.ts",
])("opens no file at file:///%s", async (path) => {
  const { browser, folder, project, language } = open({ "src/a.ts": "" });
  writeFileSync(join(folder, "secret.ts"), "export const secret = 1;");
  symlinkSync("../secret.ts", join(project, "link.ts"));
  symlinkSync("..", join(project, "linked"));
  const editor = browser();
  const uri = `file:///${path}`;
  editor.openUri(uri, "export const secret = 1;");
  const question = { textDocument: { uri }, position: { line: 0, character: 14 } };
  expect(await editor.ask("textDocument/hover", question)).toMatchObject({
    error: { code: -32602, message: expect.stringMatching(/not the path|link|cannot be edited/) },
  });
  expect(language.pid).toBeUndefined();
});

test.each([
  ["a command", { id: 1, method: "workspace/executeCommand", params: { command: "x" } }],
  ["another language", { method: "textDocument/didOpen", params: { textDocument: { uri: "file:///a.ts" } } }],
  ["a change on disk", { method: "workspace/didChangeWatchedFiles", params: { changes: [] } }],
  [
    "a completion of the browser's own",
    {
      ...{ id: 1, method: "completionItem/resolve" },
      params: { textDocument: { uri: "file:///a.ts" }, data: { fileName: "/etc/passwd" } },
    },
  ],
  [
    "a quick fix for diagnostics of the browser's own",
    {
      ...{ id: 1, method: "textDocument/codeAction" },
      params: {
        ...{ textDocument: { uri: "file:///a.ts" }, position: { line: 0, character: 0 } },
        context: { diagnostics: [] },
      },
    },
  ],
  [
    "another scheme",
    {
      ...{ id: 1, method: "textDocument/hover" },
      params: { textDocument: { uri: "http://h/a.ts" }, position: { line: 0, character: 0 } },
    },
  ],
  [
    "a field that the editor does not send",
    {
      ...{ id: 1, method: "textDocument/hover" },
      params: {
        textDocument: { uri: "file:///a.ts" },
        position: { line: 0, character: 0 },
        workDoneToken: 1,
      },
    },
  ],
])("does not accept %s", (_what, message) => {
  expect(languageMessage.safeParse({ jsonrpc: "2.0", ...message }).success).toBe(false);
});

test("ends with the workbench", async () => {
  const { browser, language } = open({ "src/a.ts": "" });
  const editor = browser();
  editor.openFile("src/a.ts", "export const a = 1;");
  await expect.poll(() => editor.problems("src/a.ts")).toEqual([]);
  const { pid = 0 } = language;
  await language[Symbol.asyncDispose]();
  expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
});
