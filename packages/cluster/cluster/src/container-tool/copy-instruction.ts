import { splitWords } from "@operator-path/kubelet/local-images";
import type { BuildOptions } from "./build-options.ts";
import { type Found, findInContext, findInStage, putInto } from "./copy.ts";
import type { Instruction } from "./dockerfile.ts";
import { type Stage, stageNamed } from "./stage.ts";
import { toolImage, understoodTools } from "./tool-image.ts";

/** COPY and ADD. */
export async function copy(
  instruction: Instruction,
  stage: Stage,
  stages: readonly Stage[],
  o: BuildOptions,
  expand: (text: string) => string,
): Promise<void> {
  const { keyword, text, json, flags, hasHeredoc } = instruction;
  if (hasHeredoc)
    throw new Error(
      `${keyword} of a here-document is not understood here: put the text into a file of the project`,
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
      "ADD of a URL or an archive is not understood here: fetch or unpack it in the project, and COPY it",
    );
  }
  const unknown = [...flags.keys()].find((flag) => !["from", "chown", "chmod", "link"].includes(flag));
  if (unknown !== undefined)
    throw new Error(`${keyword} --${unknown} is not understood here: name what is to be copied`);
  const found = flags.has("from")
    ? await fromStage(flags.get("from") ?? "", sources, { keyword, stages, o })
    : sources.flatMap((source) => findInContext(o.context, source));
  const chmod = flags.get("chmod");
  putInto(stage, chmod === undefined ? found : withMode(found, chmod), destination);
}

async function fromStage(
  name: string,
  sources: readonly string[],
  { keyword, stages, o }: { keyword: string; stages: readonly Stage[]; o: BuildOptions },
): Promise<Found[]> {
  const stage = stageNamed(stages.slice(0, -1), name) ?? (await toolStage(name, keyword, o));
  if (stage === undefined) {
    throw new Error(
      `--from=${name}: no stage before this one has that name. Files of another image cannot be had here (but ${understoodTools}): put them into the project`,
    );
  }
  const taken = (path: string) =>
    o.say(`${keyword} --from=${name}: ${path} is taken from the project as it is, since RUN is not run here`);
  return sources.flatMap((source) => findInStage(stage, source, o.context, taken));
}

/** An image of tools that is named in the place of a stage. */
async function toolStage(image: string, keyword: string, o: BuildOptions): Promise<Stage | undefined> {
  const entries = await toolImage(image, `${keyword} --from=${image}`, o);
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

/** Of a mode only whether the file can be executed matters. */
function withMode(found: readonly Found[], chmod: string): Found[] {
  if (!/^0?[0-7]{3}$/.test(chmod)) throw new Error(`--chmod=${chmod}: write three octal digits, such as 755`);
  const mode = Number.parseInt(chmod, 8) & 0o111 ? 0o755 : 0o644;
  return found.map((one) => ({
    ...one,
    entries: one.entries.map(([path, entry]) => [path, entry.type === "file" ? { ...entry, mode } : entry]),
  }));
}
