// Whatever flag there is, whichever command has it: used wrongly it is a line that names it, exit code 1, and no file is
// touched. Commands and flags are those that the program has, so one that is added is tried too.
import type { Command, Option } from "commander";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiLine, initLine, openFolder } from "../testing/scaffolds.ts";
import { createProgram } from "./program.ts";

/** What makes each command whole: it succeeds with these words, in the folder that `prepared` makes. */
const whole: Readonly<Record<string, string>> = {
  init: initLine,
  "create api": apiLine.replace("Memcached", "Proxy"),
  "create webhook": "create webhook --group cache --version v1alpha1 --kind Memcached --defaulting",
  edit: "edit --multigroup",
  generate: "generate",
  completion: "completion bash",
  version: "version",
};

/** A value that a flag refuses. */
const wrong: Readonly<Record<string, string>> = {
  "--domain": "Example.com",
  "--repo": "../elsewhere",
  "--project-name": "Memcached_Operator",
  "--plugins": "ansible.sdk.operatorframework.io/v1",
  "--project-version": "2",
  "--group": "Cache",
  "--version": "alpha",
  "--kind": "memcached",
  "--image": "controller",
  // Of an API in TypeScript.
  "--helm-chart": "charts/memcached",
  "--helm-chart-repo": "https://charts.example.com",
  "--helm-chart-version": "1.2.3",
  // Of an API whose types are the project's own.
  "--external-api-path": "crd.yaml",
};

const commands = leaves(createProgram({ cwd: "", stdout() {}, stderr() {} }));
const flags = commands.flatMap(({ path, command }) =>
  command.options
    .filter(({ negate }) => !negate)
    .map((option) => ({ path, flag: option.long ?? "", option, rest: without(whole[path] ?? "", option) })),
);

// Nothing is written to either, so all share them.
let folders: Awaited<ReturnType<typeof prepared>>[];
beforeAll(async () => {
  folders = [await prepared("init"), await prepared("")];
});
afterAll(() => folders.forEach((folder) => void folder[Symbol.dispose]()));
const folderFor = (path = "") => (path === "init" ? folders[0] : folders[1]) as (typeof folders)[number];

test("there is a whole line of each command, and a wrong value of each flag that has values", async () => {
  expect(Object.keys(whole).sort()).toEqual(commands.map(({ path }) => path).sort());
  const valued = flags.filter(({ option }) => !option.isBoolean());
  expect([...new Set(valued.map(({ flag }) => flag))].sort()).toEqual(Object.keys(wrong).sort());
  for (const [path, line] of Object.entries(whole)) {
    using folder = await prepared(path);
    expect(await folder.run(line), line).toMatchObject({ code: 0, stderr: "" });
  }
});

describe.each(flags)("$path $flag", ({ path, flag, option, rest }) => {
  const value = wrong[flag] ?? "";
  const cases: [string, string[], string][] = option.isBoolean()
    ? [
        ["twice", [...rest, flag, flag], `${flag} is given twice`],
        ["taken back and given", [...rest, `${flag}=false`, flag], `${flag} is given twice`],
        ["of a wrong value", [...rest, `${flag}=yes`], `${flag}=yes: say ${flag}, or ${flag}=false`],
        ["of an empty value", [...rest, `${flag}=`], `${flag}=: say ${flag}, or ${flag}=false`],
        ["with a word", [...rest, flag, "true"], "does not take so many words: true"],
      ]
    : [
        ["of a wrong value", [...rest, flag, value], value],
        ["of a wrong value, with =", [...rest, `${flag}=${value}`], value],
        ["twice", [...rest, flag, sound(path, flag), flag, sound(path, flag)], `${flag} is given twice`],
        ["of an empty value", [...rest, flag, ""], `${flag} is empty`],
        ["of an empty value, with =", [...rest, `${flag}=`], `${flag} is empty`],
        ["at the end", [...rest, flag], `${flag} has no value: say ${flag} <`],
        [
          "before another flag",
          [...path.split(" "), flag, "--force"],
          `${flag} has no value, --force follows`,
        ],
        ["of a line break", [...rest, flag, "a\nb"], flag === "--project-name" ? "the project's name" : flag],
      ];
  test.each([
    ...cases,
    ["misspelt", [...rest, `${flag}x`], `unknown option '${flag}x' (Did you mean ${flag}?)`],
    ["after --", [...rest, "--", flag], `does not take so many words: ${flag}`],
  ])("used wrongly: %s", async (_name, line, message) => {
    expect(await folderFor(path).refused(line)).toContain(message);
  });
});

test.each(
  ["--group", "--version", "--kind"].flatMap((flag) =>
    ["create api", "create webhook"].map((path) => [path, flag] as const),
  ),
)("%s without %s", async (path, flag) => {
  const words = (whole[path] ?? "").split(" ");
  const line = words.toSpliced(words.indexOf(flag), 2);
  expect(await folderFor(path).refused(line)).toContain(`${flag} is missing: say --group cache`);
});

test.each([
  ["create", "operator-sdk create is not all: there are api, webhook"],
  ["create ap", "unknown command 'ap' (Did you mean api?)"],
  ["create constructor", "unknown command 'constructor': there are api, webhook"],
  ["__proto__", "unknown command '__proto__': there are init, create,"],
  ["help nothing", "unknown command 'nothing'"],
  ["init here", "operator-sdk init does not take so many words: here"],
  ["version --short", "unknown option '--short': operator-sdk version --help"],
  ["init --__proto__ x", "unknown option '--__proto__'"],
  ["create api -g cache", "unknown option '-g'"],
])("words that are no command: %s", async (line, message) => {
  expect(await folderFor(line.split(" ")[0]).refused(line)).toContain(message);
});

test("the name alone says what there is", async () => {
  using folder = openFolder();
  const { code, stdout } = await folder.run([]);
  expect(code).toBe(0);
  expect(stdout).toContain("Usage: operator-sdk [options] [command]");
});

/** An empty folder for init, a project with a Memcached for the others. */
async function prepared(path: string) {
  const folder = openFolder();
  if (path !== "init") {
    await folder.run(initLine);
    await folder.run(apiLine);
  }
  return folder;
}

function leaves(command: Command, path = ""): { path: string; command: Command }[] {
  if (command.commands.length === 0) return [{ path: path.trim(), command }];
  return command.commands.flatMap((each) => leaves(each, `${path} ${each.name()}`));
}

/** The words of a line, but for a flag and its value. */
function without(line: string, option: Option): string[] {
  const words = line.split(" ");
  const at = words.indexOf(option.long ?? "");
  return at === -1 ? words : words.toSpliced(at, option.isBoolean() ? 1 : 2);
}

/** A value that the flag takes. */
function sound(path: string, flag: string): string {
  const words = (whole[path] ?? "").split(" ");
  const at = words.indexOf(flag);
  const others: Readonly<Record<string, string>> = {
    "--project-name": "memcached-operator",
    "--plugins": "typescript.operator-path/v1",
    "--project-version": "3",
    "--image": "controller=a:v1",
    "--external-api-path": "crd.yaml",
    "--helm-chart": "charts/memcached",
    "--helm-chart-repo": "https://charts.example.com",
    "--helm-chart-version": "1.2.3",
  };
  return at === -1 ? (others[flag] ?? "") : (words[at + 1] ?? "");
}
