// Each flag of each command, used wrongly, causes one line with its name, exit code 1, and no change of a
// file. The tests read the commands and flags from the program, so they cover new ones.
import type { Command, Option } from "commander";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiLine, initLine, openFolder } from "../testing/scaffolds.ts";
import { createProgram } from "./program.ts";

/** A valid line for each command. It succeeds in the folder that `prepared` creates. */
const validLines: Readonly<Record<string, string>> = {
  init: initLine,
  "create api": apiLine.replace("Memcached", "Proxy"),
  "create webhook": "create webhook --group cache --version v1alpha1 --kind Memcached --defaulting",
  edit: "edit --multigroup",
  generate: "generate",
  completion: "completion bash",
  version: "version",
};

/** An invalid value for each flag. */
const invalidValues: Readonly<Record<string, string>> = {
  "--domain": "Example.com",
  "--repo": "../elsewhere",
  "--project-name": "Memcached_Operator",
  "--plugins": "ansible.sdk.operatorframework.io/v1",
  "--project-version": "2",
  "--group": "Cache",
  "--version": "alpha",
  "--kind": "memcached",
  "--image": "controller",
  // These flags are invalid for an API in TypeScript.
  "--helm-chart": "charts/memcached",
  "--helm-chart-repo": "https://charts.example.com",
  "--helm-chart-version": "1.2.3",
  // This flag is invalid for an API with types of the project's own.
  "--external-api-path": "crd.yaml",
};

const commands = leaves(createProgram({ cwd: "", stdout() {}, stderr() {} }));
const flags = commands.flatMap(({ path, command }) =>
  command.options
    .filter(({ negate }) => !negate)
    .map((option) => ({
      path,
      flag: option.long ?? "",
      option,
      rest: without(validLines[path] ?? "", option),
    })),
);

// All tests share these folders, because none of them writes.
let folders: Awaited<ReturnType<typeof prepared>>[];
beforeAll(async () => {
  folders = [await prepared("init"), await prepared("")];
});
afterAll(() => folders.forEach((folder) => void folder[Symbol.dispose]()));
const folderFor = (path = "") => (path === "init" ? folders[0] : folders[1]) as (typeof folders)[number];

test("has a valid line for each command, and an invalid value for each flag with a value", async () => {
  expect(Object.keys(validLines).sort()).toEqual(commands.map(({ path }) => path).sort());
  const valued = flags.filter(({ option }) => !option.isBoolean());
  expect([...new Set(valued.map(({ flag }) => flag))].sort()).toEqual(Object.keys(invalidValues).sort());
  for (const [path, line] of Object.entries(validLines)) {
    using folder = await prepared(path);
    expect(await folder.run(line), line).toMatchObject({ code: 0, stderr: "" });
  }
});

describe.each(flags)("$path $flag", ({ path, flag, option, rest }) => {
  const value = invalidValues[flag] ?? "";
  const cases: [string, string[], string][] = option.isBoolean()
    ? [
        ["twice", [...rest, flag, flag], `${flag} is given twice`],
        ["first negated", [...rest, `${flag}=false`, flag], `${flag} is given twice`],
        ["with an invalid value", [...rest, `${flag}=yes`], `${flag}=yes: write ${flag} or ${flag}=false`],
        ["with an empty value", [...rest, `${flag}=`], `${flag}=: write ${flag} or ${flag}=false`],
        ["with an argument", [...rest, flag, "true"], "has unexpected arguments: true"],
      ]
    : [
        ["with an invalid value", [...rest, flag, value], value],
        ["with an invalid value after =", [...rest, `${flag}=${value}`], value],
        [
          "twice",
          [...rest, flag, validValue(path, flag), flag, validValue(path, flag)],
          `${flag} is given twice`,
        ],
        ["with an empty value", [...rest, flag, ""], `${flag} is empty`],
        ["with an empty value after =", [...rest, `${flag}=`], `${flag} is empty`],
        ["at the end", [...rest, flag], `${flag} has no value: write ${flag} <`],
        ["before another flag", [...path.split(" "), flag, "--force"], `${flag} has no value before --force`],
        [
          "with a line break",
          [...rest, flag, "a\nb"],
          flag === "--project-name" ? "the project's name" : flag,
        ],
      ];
  test.each([
    ...cases,
    ["misspelt", [...rest, `${flag}x`], `unknown option '${flag}x' (Did you mean ${flag}?)`],
    ["after --", [...rest, "--", flag], `has unexpected arguments: ${flag}`],
  ])("is rejected %s", async (_name, line, message) => {
    expect(await folderFor(path).rejected(line)).toContain(message);
  });
});

test.each(
  ["--group", "--version", "--kind"].flatMap((flag) =>
    ["create api", "create webhook"].map((path) => [path, flag] as const),
  ),
)("rejects %s without %s", async (path, flag) => {
  const words = (validLines[path] ?? "").split(" ");
  const line = words.toSpliced(words.indexOf(flag), 2);
  expect(await folderFor(path).rejected(line)).toContain(`${flag} is missing: add --group cache`);
});

test.each([
  ["create", "operator-sdk create needs a command: api, webhook"],
  ["create ap", "unknown command 'ap' (Did you mean api?)"],
  ["create constructor", "unknown command 'constructor': the commands are api, webhook"],
  ["__proto__", "unknown command '__proto__': the commands are init, create,"],
  ["help nothing", "unknown command 'nothing'"],
  ["init here", "operator-sdk init has unexpected arguments: here"],
  ["version --short", "unknown option '--short': operator-sdk version --help"],
  ["init --__proto__ x", "unknown option '--__proto__'"],
  ["create api -g cache", "unknown option '-g'"],
])("rejects the command line %s", async (line, message) => {
  expect(await folderFor(line.split(" ")[0]).rejected(line)).toContain(message);
});

test("prints the help without arguments", async () => {
  using folder = openFolder();
  const { code, stdout } = await folder.run([]);
  expect(code).toBe(0);
  expect(stdout).toContain("Usage: operator-sdk [options] [command]");
});

/** Returns an empty folder for init, and a project with a Memcached for the other commands. */
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

/** Returns the words of a line without a flag and its value. */
function without(line: string, option: Option): string[] {
  const words = line.split(" ");
  const at = words.indexOf(option.long ?? "");
  return at === -1 ? words : words.toSpliced(at, option.isBoolean() ? 1 : 2);
}

/** Returns a valid value for a flag. */
function validValue(path: string, flag: string): string {
  const words = (validLines[path] ?? "").split(" ");
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
