import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, posix, relative } from "node:path";
import type { ImageManifest, LocalImage, ManifestTool } from "@operator-path/kubelet/local-images";
import type { BuildOptions } from "./build-options.ts";
import { hostTree } from "./host-tree.ts";
import { originOf, type Stage } from "./stage.ts";

/** Puts a finished stage into the store. @throws Error when there is nothing to start */
export async function toImage(stage: Stage, o: BuildOptions): Promise<LocalImage> {
  takeMissingProgram(stage, o);
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
  return o.store.add(
    { base, flavour, config, files, links, ...(tools.length > 0 && { tools }) },
    (path) => sources.get(path) ?? new Uint8Array(),
  );
}

/** The program that is to be started may be something that RUN would have compiled. */
function takeMissingProgram(stage: Stage, o: BuildOptions): void {
  const { entrypoint = [], cmd = [], workingDir = "/" } = stage.config;
  const argv = [...entrypoint, ...cmd];
  if (argv.length === 0) throw new Error("there is neither ENTRYPOINT nor CMD: nothing says what to start");
  const script = argv.find((word) => /\.[cm]?[jt]s$/.test(word));
  if (script === undefined) return;
  const path = posix.resolve(workingDir, script);
  if (stage.entries.has(path)) return;
  const top = path.slice(workingDir.length).split("/")[1];
  const origin = originOf(stage, path);
  const run = stage.skipped.at(-1);
  if (!run || !origin || !top || !path.startsWith(`${workingDir}/`)) {
    throw new Error(`${path} is to be started, and nothing in the Dockerfile copies it`);
  }
  const from = originOf(stage, posix.join(workingDir, top)) ?? "";
  if (!existsSync(origin) || !existsSync(from)) {
    throw new Error(
      `${path} is to be started, and is not there: RUN is not run here (line ${run.line}: ${run.text}). Run that in the project first, so that ${relative(o.context.folder, origin)} is there`,
    );
  }
  for (const [below, entry] of hostTree(from, o.context.folder))
    stage.entries.set(join(workingDir, top) + below, entry);
  o.say(`${relative(o.context.folder, from)} is taken from the project as it is, since RUN is not run here`);
}
