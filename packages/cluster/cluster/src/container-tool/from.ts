import { join } from "node:path";
import {
  type ImageConfig,
  type ImageManifest,
  type ImageTool,
  parseImageReference,
  splitWords,
} from "@operator-path/kubelet/local-images";
import type { Instruction } from "./dockerfile.ts";
import { type BuildOptions, type Stage, type StageEntry, stageNamed } from "./stage.ts";

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

/** What a Dockerfile's FROM stands for here: Node, and the configuration that such an image brings. */
interface BaseImage {
  readonly flavour: ImageManifest["flavour"];
  readonly config: ImageConfig;
  /** Major version of Node that the image would have; undefined when its tag does not say. */
  readonly nodeMajor: number | undefined;
}

/** For messages: the images that are understood. */
export const understoodBases =
  "node:<tag>, gcr.io/distroless/nodejs<version>[-debian<version>], cgr.dev/chainguard/node";

/** @returns undefined for an image that is not Node. */
function baseImage(name: string): BaseImage | undefined {
  const reference = parseImageReference(name);
  if (reference === undefined) return undefined;
  const { repository, tag = "latest" } = reference;
  const distroless = /^gcr\.io\/distroless\/nodejs(\d+)?(?:-debian\d+)?$/.exec(repository);
  if (distroless) {
    const nonroot = /(?:^|-)nonroot$/.test(tag);
    return {
      flavour: "distroless",
      config: {
        entrypoint: ["/nodejs/bin/node"],
        ...(nonroot ? { user: "65532", workingDir: "/home/nonroot" } : {}),
      },
      nodeMajor: distroless[1] === undefined ? undefined : Number(distroless[1]),
    };
  }
  if (repository === "cgr.dev/chainguard/node") {
    const config = { entrypoint: ["/usr/bin/node"], user: "65532", workingDir: "/app" };
    return { flavour: "distroless", config, nodeMajor: undefined };
  }
  if (/^(?:docker\.io|public\.ecr\.aws\/docker|mirror\.gcr\.io)\/library\/node$/.test(repository)) {
    return {
      flavour: /alpine/.test(tag) ? "alpine" : "debian",
      config: { entrypoint: ["docker-entrypoint.sh"], cmd: ["node"] },
      nodeMajor: Number(/^(\d+)/.exec(tag)?.[1]) || undefined,
    };
  }
  return undefined;
}

/** Images of whose tools this machine has its own: repository → path in the image → tool. */
const images: Readonly<Record<string, Readonly<Record<string, ImageTool>>>> = {
  "docker.io/alpine/helm": { "/usr/bin/helm": "helm" },
};

/** For messages: what is understood. */
export const understoodTools = Object.entries(images)
  .flatMap(([image, tools]) => Object.keys(tools).map((path) => `${path} of ${image}:<tag>`))
  .join(", ");

/**
 * What an image of tools holds, as this machine has it; undefined: it is none that is known.
 * @param instruction for messages: `FROM docker.io/alpine/helm:4.2.3`
 * @throws Error naming the places where a tool was looked for, and how to get it
 */
export async function toolImage(
  image: string,
  instruction: string,
  o: BuildOptions,
): Promise<[string, StageEntry][] | undefined> {
  const reference = parseImageReference(image);
  const known = reference && Object.hasOwn(images, reference.repository) && images[reference.repository];
  if (!known) return undefined;
  const entries: [string, StageEntry][] = [];
  for (const [path, tool] of Object.entries(known)) {
    const { version } = await o.findTool(tool).catch((error: Error) => {
      throw new Error(`${instruction}: ${path} is this machine's ${tool} here. ${error.message}`);
    });
    const wanted = /^v?(\d+(?:\.\d+)*)/.exec(reference.tag ?? "")?.[1];
    const isOther = wanted !== undefined && !`${version}.`.startsWith(`${wanted}.`);
    o.say(
      `${instruction}: ${path} is this machine's ${tool} ${version}${isOther ? `, not ${wanted}` : ""}; nothing is pulled`,
    );
    entries.push([path, { type: "tool", tool, version }]);
  }
  return entries;
}
