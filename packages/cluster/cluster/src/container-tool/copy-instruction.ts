import { splitWords } from "@operator-path/kubelet/local-images";
import type { BuildOptions } from "./build.ts";
import { type Found, findInContext, findInStage, putInto } from "./copy.ts";
import type { Instruction } from "./dockerfile.ts";
import { type Stage, stageNamed } from "./stage.ts";

/** COPY and ADD. */
export function copy(
  instruction: Instruction,
  stage: Stage,
  stages: readonly Stage[],
  o: BuildOptions,
  expand: (text: string) => string,
): void {
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
    ? fromStage(flags.get("from") ?? "", sources, { keyword, stages, o })
    : sources.flatMap((source) => findInContext(o.context, source));
  const chmod = flags.get("chmod");
  putInto(stage, chmod === undefined ? found : withMode(found, chmod), destination);
}

function fromStage(
  name: string,
  sources: readonly string[],
  { keyword, stages, o }: { keyword: string; stages: readonly Stage[]; o: BuildOptions },
): Found[] {
  const stage = stageNamed(stages.slice(0, -1), name);
  if (stage === undefined) {
    throw new Error(
      `--from=${name}: no stage before this one has that name. Files of another image cannot be had here: put them into the project`,
    );
  }
  const taken = (path: string) =>
    o.say(`${keyword} --from=${name}: ${path} is taken from the project as it is, since RUN is not run here`);
  return sources.flatMap((source) => findInStage(stage, source, o.context, taken));
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
