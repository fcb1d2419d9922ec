import { readFile, stat } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { parseImageReference } from "@operator-path/kubelet/local-images";
import type { Command } from "commander";
import { UserError } from "../../user-error.ts";
import { build } from "../build.ts";
import { dockerfilePath, dockerignorePath, readIgnoreFile } from "../dockerfile.ts";
import { findStore } from "../find-store.ts";
import { heldImage, otherImageHeld } from "../held-image.ts";
import { pushVariable } from "../path.ts";
import { bytes } from "./images.ts";

interface BuildFlags {
  readonly tag?: string[];
  readonly file?: string;
  readonly buildArg?: string[];
  readonly target?: string;
}

/** `build [-t name]… [-f Dockerfile] [--build-arg NAME=value]… [--target stage] <folder>` */
export function addBuild(program: Command): void {
  const collect = (value: string, before: string[] = []) => [...before, value];
  program
    .command("build")
    .description(
      "build an image from a Dockerfile's COPY instructions and command; runs none of its programs and pulls nothing",
    )
    .argument("<folder>", "the project's folder")
    .option("-t, --tag <name>", "name of the image; may be repeated", collect)
    .option("-f, --file <path>", "the Dockerfile (default: Dockerfile in the folder)")
    .option(
      "--build-arg <name=value>",
      "value of an ARG; without =value it is read from the environment",
      collect,
    )
    .option("--target <stage>", "the stage to build (default: the last one)")
    .option("--platform <platform>", "ignored: the platform is this machine's")
    .option("--no-cache", "ignored: there is no cache")
    .option("--pull", "ignored: nothing is pulled")
    .option("-q, --quiet", "print only the image's digest")
    .option("--load", "ignored: the built image is available at once")
    .option("--progress <how>", "ignored")
    .action(run);
}

async function run(folder: string, flags: BuildFlags & { quiet?: boolean }): Promise<void> {
  const say = flags.quiet ? () => {} : (line: string) => console.log(line);
  const context = resolve(folder);
  const isFolder = await stat(context).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new UserError(`${folder} is not a folder: give the project's folder, such as \`.\``);
  const names = (flags.tag ?? []).map((tag) => {
    const reference = parseImageReference(tag);
    if (reference && !reference.digest) return reference.name;
    throw new UserError(
      `-t ${tag} is not a valid image name (expected a name such as podbuggertool:v0.1.0: lower-case letters, digits, . _ - /)`,
    );
  });
  const file = dockerfilePath(context, flags.file);
  const shown = relative(process.cwd(), file) || file;
  const text = await readFile(file, "utf8").catch(() => {
    throw new UserError(`there is no ${shown}: name it with -f`);
  });
  const ignoreFile = dockerignorePath(context, file);
  const ignores = ignoreFile
    ? readIgnoreFile(await readFile(ignoreFile, "utf8"), relative(process.cwd(), ignoreFile))
    : () => false;
  const store = await findStore();
  const image = await build({
    store,
    dockerfile: { text, name: shown },
    context: { folder: context, ignores },
    buildArgs: new Map((flags.buildArg ?? []).flatMap(buildArgument)),
    ...(flags.target === undefined ? {} : { target: flags.target }),
    findTool: async (tool) => (await import("@operator-path/tools")).findTool(tool),
    say,
  });
  for (const name of names) store.name("built", name, image.digest);
  if (flags.quiet) return console.log(image.digest);
  const { entrypoint = [], cmd = [] } = image.manifest.config;
  const count = image.manifest.files.filter(({ type }) => type === "file").length;
  say(
    `${image.digest}: ${count} ${count === 1 ? "file" : "files"}, ${bytes(image.size)}; it starts ${[...entrypoint, ...cmd].join(" ")}`,
  );
  for (const link of image.manifest.links) say(`  ${link.path} is ${link.target}, not a copy of it`);
  for (const { path, tool } of image.manifest.tools ?? [])
    say(`  ${path} is this machine's ${tool}, not a copy of it`);
  for (const name of names) say(`built ${name}`);
  for (const name of names) {
    const held = heldImage(store, name);
    if (held === undefined) say(`No node has ${name} yet: nodes get it when it is pushed.`);
    else if (held === image.digest) say(`A node of the cluster has ${name} already.`);
    else if (willBeReplaced(name)) say(`The nodes have an older ${name}: push this one.`);
    else console.error(otherImageHeld(name));
  }
}

/** Nodes pull :latest again for each Pod by default, and a push that also loads puts the image on every node. */
function willBeReplaced(name: string): boolean {
  return name.endsWith(":latest") || process.env[pushVariable] === "load";
}

function buildArgument(text: string): [string, string][] {
  const equals = text.indexOf("=");
  if (equals > 0) return [[text.slice(0, equals), text.slice(equals + 1)]];
  const value = process.env[text];
  return value === undefined ? [] : [[text, value]];
}
