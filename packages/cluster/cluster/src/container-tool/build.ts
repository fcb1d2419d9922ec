import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, posix, relative } from "node:path";
import type { ImageManifest, LocalImage, ManifestTool } from "@operator-path/kubelet/local-images";
import { DockerfileError, type Instruction, parseDockerfile, wantedInstructions } from "./dockerfile.ts";
import { from, supportedBases } from "./from.ts";
import { hostTree } from "./host-tree.ts";
import { apply, args } from "./instructions.ts";
import { type BuildOptions, originOf, type Stage } from "./stage.ts";

/**
 * Builds an image from the copy instructions and the command of a Dockerfile. Runs none of its programs.
 *
 * @throws DockerfileError with file, line and what to do
 */
export async function build(options: BuildOptions): Promise<LocalImage> {
  const { name: file, text } = options.dockerfile;
  const instructions = parseDockerfile(text);
  const stages: Stage[] = [];
  const globals = new Map<string, string>();
  let at: Instruction | undefined;
  try {
    for (const instruction of wantedInstructions(instructions, options.target)) {
      at = instruction;
      const stage = stages.at(-1);
      if (instruction.keyword === "FROM") stages.push(await from(instruction, stages, globals, options));
      else if (stage === undefined) {
        if (instruction.keyword !== "ARG")
          throw new Error(`${instruction.keyword} comes before the first FROM`);
        for (const [name, value] of args(instruction, options, globals)) globals.set(name, value);
      } else await apply(instruction, stage, stages, globals, options);
    }
    at = undefined;
    const last = stages.at(-1);
    if (last === undefined) throw new Error("there is no FROM");
    if (last.isTools) {
      throw new Error(
        `the last stage is FROM ${last.base}, which has no Node here: begin a stage on ${supportedBases}, and COPY --from= the files that it needs`,
      );
    }
    at = instructions.findLast(({ keyword }) => keyword === "CMD" || keyword === "ENTRYPOINT");
    return await toImage(last, options);
  } catch (error) {
    if (!(error instanceof Error) || error instanceof DockerfileError) throw error;
    throw new DockerfileError(`${file}${at ? `:${at.line}` : ""}: ${error.message}`);
  }
}

/**
 * Adds a finished stage to the store.
 *
 * @throws Error if the stage has no command
 */
async function toImage(stage: Stage, options: BuildOptions): Promise<LocalImage> {
  takeMissingProgram(stage, options);
  const sources = new Map<string, string | Uint8Array>();
  const files: ImageManifest["files"][number][] = [];
  const tools: ManifestTool[] = [];
  const links: ImageManifest["links"][number][] = [];
  for (const [path, entry] of [...stage.entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (entry.type === "link") {
      const { type: _, ...link } = entry;
      links.push({ path, ...link });
    } else if (entry.type === "tool") {
      const { type: _, ...tool } = entry;
      tools.push({ path, ...tool });
    } else if (entry.type === "folder")
      files.push({ path, type: "folder", mode: 0o755, size: 0, sha256: "" });
    else {
      const content = typeof entry.source === "string" ? readFileSync(entry.source) : entry.source;
      sources.set(path, entry.source);
      const sha256 = createHash("sha256").update(content).digest("hex");
      files.push({ path, type: "file", mode: entry.mode, size: content.length, sha256 });
    }
  }
  const { base, flavour, config } = stage;
  return options.store.add(
    { base, flavour, config, files, links, ...(tools.length > 0 && { tools }) },
    (path) => sources.get(path) ?? new Uint8Array(),
  );
}

/** Takes the program to start from the project, if a RUN would have compiled it. */
function takeMissingProgram(stage: Stage, options: BuildOptions): void {
  const { entrypoint = [], cmd = [], workingDir = "/" } = stage.config;
  const argv = [...entrypoint, ...cmd];
  if (argv.length === 0) throw new Error("there is neither ENTRYPOINT nor CMD: add the command to start");
  const script = argv.find((word) => /\.[cm]?[jt]s$/.test(word));
  if (script === undefined) return;
  const path = posix.resolve(workingDir, script);
  if (stage.entries.has(path)) return;
  const top = path.slice(workingDir.length).split("/")[1];
  const origin = originOf(stage, path);
  const run = stage.skipped.at(-1);
  if (!run || !origin || !top || !path.startsWith(`${workingDir}/`)) {
    throw new Error(`${path} is the program to start, but nothing in the Dockerfile copies it`);
  }
  const from = originOf(stage, posix.join(workingDir, top)) ?? "";
  if (!existsSync(origin) || !existsSync(from)) {
    throw new Error(
      `${path} is the program to start, but it is missing: RUN instructions are not executed here (line ${run.line}: ${run.text}). Run that command in the project first, so that ${relative(options.context.folder, origin)} exists`,
    );
  }
  for (const [below, entry] of hostTree(from, options.context.folder))
    stage.entries.set(join(workingDir, top) + below, entry);
  options.say(
    `${relative(options.context.folder, from)} is taken from the project as it is, because RUN instructions are not executed here`,
  );
}
