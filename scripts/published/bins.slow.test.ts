import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packPackages, referenceTo } from "@operator-path/operator-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuthorFolder, openAuthorFolder } from "./author.ts";

/** The commands of the tarballs, on versions of Node that are too old for them. */
const root = join(import.meta.dirname, "../..");
const tooOld = ["20", "22.18"];
// Without this npm compiles an optional dependency of just-bash, for minutes.
const manifest = {
  private: true,
  allowScripts: { "@mongodb-js/zstd": false, "node-liblzma": false, node: true },
};

const packed = await packPackages({ root });
const commands = await Promise.all(
  packed.map(async ({ importer }) => {
    const { bin, engines } = JSON.parse(await readFile(join(root, importer, "package.json"), "utf8"));
    return Object.keys(bin ?? {}).map((name) => ({ name, oldest: engines.node.replace(">=", "") }));
  }),
).then((found) => found.flat());

let author: AuthorFolder;
beforeAll(async () => {
  author = await openAuthorFolder();
  await writeFile(join(author.folder, "package.json"), JSON.stringify(manifest));
  await author.run(`npm install ${packed.map((found) => referenceTo(found, author.folder)).join(" ")}`);
  for (const version of tooOld) {
    const folder = join(author.folder, `../node-${version}`);
    await mkdir(folder);
    await author.run(
      `cd ${folder} && echo '{ "allowScripts": { "node": true } }' >package.json && npm install node@${version}`,
    );
  }
}, 600_000);
afterAll(() => author?.[Symbol.asyncDispose]());

test("every command of the packages is tried", () => {
  expect(commands.map(({ name }) => name).sort()).toEqual(
    "container-tool controller-gen create-operator kind-container-tool operator-dev operator-path operator-sdk".split(
      " ",
    ),
  );
});

test.each(tooOld.flatMap((version) => commands.map((command) => ({ version, ...command }))))(
  "$name refuses Node $version in one line",
  async ({ version, name, oldest }) => {
    const inPath = `PATH="$PWD/../node-${version}/node_modules/node/bin:$PATH"`;
    expect(await author.run(`${inPath} node --version`)).toMatch(new RegExp(`^v${version}\\.`));
    const { exitCode, stdout, stderr } = await author.attempt(`${inPath} node_modules/.bin/${name} --help`);
    const running = `this is Node ${version}\\.[\\d.]+`;
    const remedy = `install a newer one, or run \`npm install node@${oldest.split(".")[0]}\` in this folder and start the command with npx`;
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(
      new RegExp(
        `^error: ${name} needs Node ${oldest.replace(".", "\\.")} or newer, and ${running}: ${remedy}$`,
      ),
    );
  },
);

test.each(commands)("$name runs on a Node that is new enough", async ({ name }) => {
  const { all } = await author.attempt(`node_modules/.bin/${name} --help`);
  // kind-container-tool asks for a container engine first.
  expect(all).toMatch(/usage|\[options\]|paths=|no container engine|docker|podman/i);
  expect(all).not.toMatch(/needs Node|ERR_/);
});

test("what the line says helps: the command runs on the Node of its folder", async () => {
  const inPath = 'PATH="$PWD/../node-20/node_modules/node/bin:$PATH"';
  await author.run(`${inPath} npm install node@22`);
  expect(await author.run(`${inPath} npx operator-sdk version`)).toMatch(/^operator-sdk version/);
});
