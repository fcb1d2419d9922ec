import { join } from "node:path";
import { parseImageReference, splitWords } from "@operator-path/kubelet/local-images";
import { baseImage, understoodBases } from "./base-image.ts";
import type { BuildOptions } from "./build-options.ts";
import type { Instruction } from "./dockerfile.ts";
import { type Stage, type StageEntry, stageNamed } from "./stage.ts";
import { toolImage, understoodTools } from "./tool-image.ts";

/** Begins a stage: on Node, on an earlier stage, or on an image that was built here. @throws Error for any other image */
export async function from(
  instruction: Instruction,
  stages: readonly Stage[],
  globals: ReadonlyMap<string, string>,
  o: BuildOptions,
): Promise<Stage> {
  const [image = "", as, name] = splitWords(instruction.text, (variable) => globals.get(variable)).words;
  if (as !== undefined && as.toUpperCase() !== "AS")
    throw new Error(`FROM takes an image, and perhaps AS and a name`);
  const stage = (rest: Pick<Stage, "base" | "flavour" | "config"> & Partial<Stage>): Stage => ({
    entries: new Map(),
    origins: new Map(),
    skipped: [],
    variables: new Map(Object.entries(rest.config.env ?? {})),
    ...rest,
    name,
  });
  if (instruction.flags.has("skipped")) return stage({ base: image, flavour: "distroless", config: {} });
  const earlier = stageNamed(stages, image);
  if (earlier) {
    const { entries, origins, skipped } = earlier;
    return stage({
      ...earlier,
      entries: new Map(entries),
      origins: new Map(origins),
      skipped: [...skipped],
    });
  }
  const reference = parseImageReference(image);
  const built = reference && o.store.named("built", reference.name);
  const local = built && o.store.image(built.digest);
  if (local) {
    const { manifest, root } = local;
    o.say(`FROM ${image}: the image that was built here`);
    return stage({
      base: manifest.base,
      flavour: manifest.flavour,
      config: manifest.config,
      entries: new Map([
        ...manifest.files.map(
          ({ path, type, mode }): [string, Stage["entries"] extends Map<string, infer E> ? E : never] => [
            path,
            type === "folder" ? { type } : { type, source: join(root, path), mode },
          ],
        ),
        ...(manifest.tools ?? []).map(({ path, ...tool }): [string, StageEntry] => [
          path,
          { type: "tool", ...tool },
        ]),
        ...manifest.links.map(({ path, ...link }): [string, StageEntry] => [path, { type: "link", ...link }]),
      ]),
    });
  }
  const tools = await toolImage(image, `FROM ${image}`, o);
  if (tools)
    return stage({ base: image, flavour: "distroless", config: {}, isTools: true, entries: new Map(tools) });
  const base = baseImage(image);
  if (base === undefined) {
    throw new Error(
      `FROM ${image || "nothing"}: no image of Node that is understood here. A Pod of this cluster is a process of this machine's Node, so it has to be one of ${understoodBases}, or an image built here before; to COPY --from it, ${understoodTools}`,
    );
  }
  const here = process.versions.node;
  const other = base.nodeMajor !== undefined && base.nodeMajor !== Number(here.split(".")[0]);
  o.say(
    `FROM ${image}: this machine's Node ${here}${other ? `, not ${base.nodeMajor}` : ""}; nothing is pulled`,
  );
  return stage({ base: image, flavour: base.flavour, config: base.config });
}
