import { existsSync, globSync, statSync } from "node:fs";
import { basename, join, posix, relative, resolve, sep } from "node:path";
import { splitWords } from "@operator-path/kubelet/local-images";
import type { Instruction } from "./dockerfile.ts";
import { supportedTools, toolImage } from "./from.ts";
import { hostTree, leadsOut } from "./host-tree.ts";
import {
  type BuildOptions,
  below,
  type Context,
  originOf,
  type Stage,
  type StageEntry,
  stageNamed,
} from "./stage.ts";

/** COPY and ADD. */
export async function copy(
  instruction: Instruction,
  stage: Stage,
  stages: readonly Stage[],
  options: BuildOptions,
  expand: (text: string) => string,
): Promise<void> {
  const { keyword, text, json, flags, hasHeredoc } = instruction;
  if (hasHeredoc)
    throw new Error(
      `${keyword} of a here-document is not supported here: put the text into a file of the project`,
    );
  const words = json?.map(expand) ?? splitWords(text, (name) => stage.variables.get(name)).words;
  const destination = words.at(-1);
  const sources = words.slice(0, -1);
  if (destination === undefined || sources.length === 0)
    throw new Error(`${keyword} takes at least one source and a destination`);
  if (
    keyword === "ADD" &&
    sources.some((source) => /^(?:https?|git):|\.(?:tar|tgz|tar\.\w+)$/.test(source))
  ) {
    throw new Error(
      "ADD of a URL or an archive is not supported here: fetch or unpack it in the project, and COPY it",
    );
  }
  const unknown = [...flags.keys()].find((flag) => !["from", "chown", "chmod", "link"].includes(flag));
  if (unknown !== undefined)
    throw new Error(`${keyword} --${unknown} is not supported here: name the files to copy`);
  const found = flags.has("from")
    ? await fromStage(flags.get("from") ?? "", sources, { keyword, stages, options })
    : sources.flatMap((source) => findInContext(options.context, source));
  const chmod = flags.get("chmod");
  putInto(stage, chmod === undefined ? found : withMode(found, chmod), destination);
}

async function fromStage(
  name: string,
  sources: readonly string[],
  { keyword, stages, options }: { keyword: string; stages: readonly Stage[]; options: BuildOptions },
): Promise<Found[]> {
  const stage = stageNamed(stages.slice(0, -1), name) ?? (await toolStage(name, keyword, options));
  if (stage === undefined) {
    throw new Error(
      `--from=${name}: no earlier stage has that name. Files of other images are not available here (except ${supportedTools}): put them into the project`,
    );
  }
  const taken = (path: string) =>
    options.say(
      `${keyword} --from=${name}: ${path} is taken from the project as it is, because RUN instructions are not executed here`,
    );
  return sources.flatMap((source) => findInStage(stage, source, options.context, taken));
}

/** Returns a stage for an image of tools that is named instead of a stage. */
async function toolStage(image: string, keyword: string, options: BuildOptions): Promise<Stage | undefined> {
  const entries = await toolImage(image, `${keyword} --from=${image}`, options);
  if (entries === undefined) return undefined;
  const empty = {
    flavour: "distroless",
    config: {},
    origins: new Map(),
    skipped: [],
    variables: new Map(),
  } as const;
  return { ...empty, skipped: [], name: image, base: image, isTools: true, entries: new Map(entries) };
}

/** Only the executable bits of a mode matter. */
function withMode(found: readonly Found[], chmod: string): Found[] {
  if (!/^0?[0-7]{3}$/.test(chmod)) throw new Error(`--chmod=${chmod}: write three octal digits, such as 755`);
  const mode = Number.parseInt(chmod, 8) & 0o111 ? 0o755 : 0o644;
  return found.map((one) => ({
    ...one,
    entries: one.entries.map(([path, entry]) => [path, entry.type === "file" ? { ...entry, mode } : entry]),
  }));
}

/** A match of COPY: its name, the entries at and below it, and the project folder that it came from. */
interface Found {
  readonly name: string;
  readonly entries: [string, StageEntry][];
  readonly origin: string | undefined;
}

/**
 * Finds the matches of a `COPY` source in the project. A pattern may have several or none.
 *
 * @throws Error with what to do, if the source is missing, outside of the folder or excluded by .dockerignore
 */
function findInContext(context: Context, source: string): Found[] {
  // Sources are relative to the context, even with a leading slash.
  const path = posix.normalize(`/${source}`).slice(1).replace(/\/$/, "");
  const isPattern = /[*?[]/.test(path);
  const matches = isPattern
    ? globSync(path, { cwd: context.folder }).map((match) => match.split(sep).join("/"))
    : existsSync(join(context.folder, path))
      ? [path]
      : [];
  if (matches.length === 0 && isPattern) return [];
  if (matches.length === 0) throw new Error(`"${source}" is not in ${context.folder}`);
  const out = matches.find((match) => leadsOut(resolve(context.folder, match), context.folder));
  if (out !== undefined) {
    throw new Error(
      `"${out}" is behind a link that leads out of ${context.folder}: copy it into the project first`,
    );
  }
  const wanted = matches.filter(
    (match) => match === "" || !context.ignores(match) || holdsWanted(context, match),
  );
  if (wanted.length === 0) {
    throw new Error(`"${source}" is excluded by .dockerignore: remove it there, or do not COPY it`);
  }
  const found = wanted.sort().map((match) => {
    const folder = resolve(context.folder, match);
    return {
      name: match === "" ? "" : basename(match),
      entries: hostTree(folder, context.folder, (inner) =>
        context.ignores(match === "" ? inner : `${match}/${inner}`),
      ),
      origin: statSync(folder).isDirectory() ? folder : undefined,
    };
  });
  const usable = found.filter(({ entries }) => entries.length > 0);
  // Links among several matches are skipped, as in a folder. A COPY without any other match fails.
  if (usable.length > 0) return usable;
  throw new Error(
    `"${wanted[0]}" is not a file or folder of ${context.folder}: it is a link that leads out of it, or a special file. Copy the file itself into the project first`,
  );
}

/** An ignored folder may contain files that a `!` pattern includes. */
function holdsWanted(context: Context, match: string): boolean {
  const folder = join(context.folder, match);
  if (!statSync(folder).isDirectory()) return false;
  return hostTree(folder, context.folder, (inner) => context.ignores(`${match}/${inner}`)).some(
    ([, entry]) => entry.type === "file",
  );
}

/**
 * Finds the matches of a `COPY --from` source in another stage. Files that only a RUN would have created are
 * taken from the project, if it has them.
 *
 * @param taken receives the path of each such file, relative to the project
 * @throws Error with what to do
 */
function findInStage(stage: Stage, source: string, context: Context, taken: (path: string) => void): Found[] {
  const path = posix.resolve("/", source);
  if (/[*?[]/.test(path)) {
    const names = [...stage.entries.keys()].filter((entry) => posix.matchesGlob(entry, path));
    const tops = names.filter((name) => !names.some((other) => name.startsWith(`${other}/`)));
    if (tops.length > 0) return tops.map((top) => foundAt(stage, top));
  } else if (path === "/" || below(stage, path).length > 0) return [foundAt(stage, path)];
  const origin = originOf(stage, path);
  if (origin !== undefined && existsSync(origin)) {
    taken(relative(context.folder, origin));
    return [{ name: posix.basename(path), entries: hostTree(origin, context.folder), origin }];
  }
  const stageName = stage.name ?? stage.base;
  const run = stage.skipped.at(-1);
  const why = run
    ? `: RUN instructions are not executed here (line ${run.line}: ${run.text}). Run that command in the project first, so that ${origin ? relative(context.folder, origin) : path} exists`
    : stage.isTools
      ? `: from other images, only ${supportedTools} is available here`
      : "";
  throw new Error(`"${source}" is not in the stage ${stageName}${why}`);
}

function foundAt(stage: Stage, path: string): Found {
  return { name: posix.basename(path), entries: below(stage, path), origin: stage.origins.get(path) };
}

/**
 * Puts the matches at the COPY destination. It is a folder if there are several matches, or if it ends with a
 * slash.
 */
function putInto(stage: Stage, found: readonly Found[], destination: string): void {
  const workingDir = stage.config.workingDir ?? "/";
  if (found.length === 0) throw new Error("no file matches the pattern");
  const target = posix.resolve(workingDir, destination);
  const isFolder =
    destination.endsWith("/") || destination === "." || found.length > 1 || isFolderAt(stage, target);
  for (const { name, entries, origin } of found) {
    const top = entries[0]?.[1];
    // COPY of a folder copies its contents. COPY of a file copies the file itself.
    const contents = entries.length > 1 || top?.type === "folder" || entries[0]?.[0] !== "";
    const at = contents || !isFolder ? target : posix.join(target, name);
    const isLink = entries.length === 1 && top?.type === "link";
    for (const [path, entry] of entries) put(stage, isLink ? target : at + path || "/", entry);
    const single = top?.type === "file" && typeof top.source === "string" ? top.source : undefined;
    if (origin !== undefined) stage.origins.set(at, origin);
    // A single file or folder with an unchanged name also reveals the project folder.
    const named = origin ?? single;
    const folder = posix.dirname(at);
    if (
      named !== undefined &&
      at !== "/" &&
      posix.basename(at) === basename(named) &&
      !stage.origins.has(folder)
    ) {
      stage.origins.set(folder, resolve(named, ".."));
    }
  }
}

function put(stage: Stage, path: string, entry: StageEntry): void {
  for (let folder = posix.dirname(path); folder !== "/"; folder = posix.dirname(folder)) {
    if (!stage.entries.has(folder)) stage.entries.set(folder, { type: "folder" });
  }
  if (path !== "/") stage.entries.set(path, entry);
}

function isFolderAt(stage: Stage, path: string): boolean {
  return path === "/" || stage.entries.get(path)?.type === "folder";
}
