import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { hostArguments } from "./node-command.ts";

const root = mkdtempSync(join(tmpdir(), "command-"));
mkdirSync(join(root, "app"));
writeFileSync(join(root, "app/hook.mjs"), "");
afterAll(() => rmSync(root, { recursive: true }));

it.each([
  [
    ["/app/main.js", "/etc/x", "--flag"],
    ["--", `${root}/app/main.js`, "/etc/x", "--flag"],
  ],
  [["main.js"], ["--", "main.js"]],
  [
    ["--enable-source-maps", "/app/main.js"],
    ["--enable-source-maps", "--", `${root}/app/main.js`],
  ],
  [
    ["--import", "/app/hook.mjs", "x.js"],
    ["--import", `${root}/app/hook.mjs`, "--", "x.js"],
  ],
  [
    ["--import=/app/hook.mjs", "x.js"],
    [`--import=${root}/app/hook.mjs`, "--", "x.js"],
  ],
  [
    ["-e", "/app/main.js"],
    ["-e", "/app/main.js"],
  ],
  [
    ["-C", "dev", "/app/main.js"],
    ["-C", "dev", "--", `${root}/app/main.js`],
  ],
  [
    ["--", "/host/bin.js", "-x"],
    ["--", "/host/bin.js", "-x"],
  ],
  [[], []],
  [["-"], ["--", "-"]],
  [
    ["-pe", "1", "x"],
    ["-pe", "1", "--", "x"],
  ],
  // Options of the fence are removed in every spelling. Arguments of the program stay.
  [
    ["--allow-child-process", "--no-permission", "x.js", "--allow-child-process"],
    ["--", "x.js", "--allow-child-process"],
  ],
  [
    ["--allow_child_process", "--allow-fs_read=*", "--allow-fs-write", "/", "x.js"],
    ["--", "x.js"],
  ],
  [
    ["--no-experimental-permission", "--permission-audit", "--experimental-config-file=/app/x", "x.js"],
    ["--", "x.js"],
  ],
  // The word after -p is an option, and not the expression to print.
  [
    ["-p", "--allow-child-process", "-e", "1"],
    ["-p", "-e", "1"],
  ],
])("%j is %j", (given, expected) => {
  expect(hostArguments(given, root)).toEqual(expected);
});
