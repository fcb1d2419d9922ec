import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa, type Result } from "execa";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pnpmVariable } from "./pnpm-command.ts";
import { openTerminal } from "./testing/terminal.ts";

const main = new URL("main.ts", import.meta.url).pathname;
let folder: string;
let temporary: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "verify-"));
  temporary = await mkdtemp(join(tmpdir(), "verify-tmp-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await rm(temporary, { recursive: true, force: true });
});

function verify(...args: string[]): Promise<Result> {
  return execa(process.execPath, ["--conditions=@operator-path/source", main, "verify", ...args], {
    cwd: folder,
    env: { HOME: folder, TMPDIR: temporary, NO_COLOR: "1", [pnpmVariable]: "pnpm" },
    reject: false,
  });
}
// A command that writes runs once. One that only reads would be repeated for half a minute.
const page = (output: string): string =>
  `---\ntitle: A page\n---\n\n## First step\n\n\`\`\`console\n$ touch seen && echo one\n${output}\n\`\`\`\n`;

describe("pnpm verify", () => {
  it("exits with 0 for a correct page, and writes the reports", async () => {
    await writeFile(join(folder, "page.md"), page("one"));
    const { exitCode, stdout } = await verify("page.md", "--json", "out.json", "--junit", "out.xml");
    expect(stdout).toMatch(/First step {2}\d+\.\d s/);
    expect(exitCode).toBe(0);
    const [report] = JSON.parse(await readFile(join(folder, "out.json"), "utf8"));
    expect(report).toMatchObject({ title: "A page", passed: true });
    expect(await readFile(join(folder, "out.xml"), "utf8")).toContain("<testcase");
  });

  it("runs pages side by side, prints a table, and exits with 1 if one fails", async () => {
    await writeFile(join(folder, "true.md"), page("one"));
    await writeFile(join(folder, "wrong.md"), page("two"));
    const { exitCode, stdout } = await verify("true.md", "wrong.md", "--jobs", "2", "--json", "out.json");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/wrong\.md:9 {2}step first-step\nthe output is not what the page shows/);
    expect(stdout).toMatch(
      /\n {2}page +steps +seconds +what failed\n✓ true +1 of 1 .*\n✗ wrong +0 of 1 .*line 9/,
    );
    expect(stdout).toMatch(/\n✗ 1 of 2 pages passed in \d+\.\d s$/);
    const reports = JSON.parse(await readFile(join(folder, "out.json"), "utf8"));
    expect(reports.map((report: { passed: boolean }) => report.passed)).toEqual([true, false]);
  });

  it("exits with 1 for a changed word, with page, line and step", async () => {
    await writeFile(join(folder, "page.md"), page("two"));
    const { exitCode, stdout } = await verify("page.md");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/page\.md:9\b.*first-step/);
    expect(stdout).toMatch(/^- two$/m);
    expect(stdout).toMatch(/^\+ one$/m);
  });

  it("--accept writes the output into the page, which then passes", async () => {
    await writeFile(join(folder, "page.md"), page("two"));
    const { exitCode, stdout } = await verify("page.md", "--accept");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Accepted, and written into page\.md:\nline 9\n- two\n\+ one\n/);
    expect(await readFile(join(folder, "page.md"), "utf8")).toBe(page("one"));
    expect(await readdir(folder)).toEqual(["page.md"]);
  });

  it("--accept exits with 1 for a difference that it cannot accept", async () => {
    await writeFile(join(folder, "page.md"), page("tw[..]"));
    const { exitCode, stdout } = await verify("page.md", "--accept");
    expect(exitCode).toBe(1);
    expect(stdout).toContain("not accepted: a line with a wildcard stays as it is: tw[..]");
    expect(await readFile(join(folder, "page.md"), "utf8")).toBe(page("tw[..]"));
  });

  it.each([
    [["--accept"], /^error: --accept needs the pages that it may change$/],
    [["nowhere"], /^error: there is no page nowhere; there are 01-podbuggertool\/1/],
    [["page.md"], /^error: page\.md:3: /],
    [["page.md", "--json", "no/such/out.json"], /^error: no\/such\/out\.json cannot be written/],
    [["--frob"], /^error: unknown option '--frob'; usage: pnpm verify \[options\] \[page\.\.\.\]$/],
    [["--jobs", "0"], /^error: "0" is not a valid number for pages \(expected 1 to 9999\)$/],
  ])("rejects %j in one line", async (args, message) => {
    await writeFile(join(folder, "page.md"), "---\ntitle: A page\nfrob: 1\n---\n");
    const { exitCode, stdout, stderr } = await verify(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(message);
    expect(String(stderr).split("\n")).toHaveLength(1);
  });

  it("leaves nothing after Ctrl+C during a page", async () => {
    await writeFile(join(folder, "page.md"), page("one\n$ echo started > $TMPDIR/started; sleep 1000"));
    const { PATH } = process.env;
    using terminal = openTerminal(
      main,
      ["verify", join(folder, "page.md"), "--json", join(folder, "out.json")],
      {
        PATH,
        HOME: folder,
        TMPDIR: temporary,
        TERM: "xterm",
      },
    );
    await terminal.shows("sleep 1000");
    terminal.type("\x03");
    expect(await terminal.ended()).toBe(130);
    expect(await readdir(temporary)).toEqual([]);
  });
});

describe("pnpm copy", () => {
  it.each([
    [[], /^error: missing required argument 'stage'; usage: pnpm copy \[options\] <stage> <folder>$/],
    [["01-podbuggertool"], /^error: missing required argument 'folder'; usage: /],
    [["01-podbuggertool", "x", "y"], /^error: too many arguments/],
    [["01-podbuggertool", "x", "--kind"], /^error: option '--kind <kind>' argument missing; usage: /],
    [["01-podbuggertool", "x", "--kind", "A", "--kind", "B"], /^error: --kind is given twice: A and B$/],
    [["01-podbuggertool", "x", "--kind", ""], /^error: --kind "" is not a valid kind/],
    [["01-podbuggertool", "x", "--knd", "A"], /^error: unknown option '--knd'/],
    [["01-podbuggertool", "."], /^error: .* already exists, and is not empty: choose another folder$/],
  ])("rejects %j in one line", async (args, message) => {
    await writeFile(join(folder, "mine"), "");
    const { exitCode, stdout, stderr } = await execa(
      process.execPath,
      ["--conditions=@operator-path/source", main, "copy", ...args],
      { cwd: folder, env: { INIT_CWD: folder, NO_COLOR: "1", [pnpmVariable]: "pnpm" }, reject: false },
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr.split("\n")[0]).toMatch(message);
    expect(stderr.split("\n").length).toBeLessThanOrEqual(2);
    expect(await readdir(folder)).toEqual(["mine"]);
  });
});
