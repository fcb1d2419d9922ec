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

/**
 * Begins a stage on Node, on an earlier stage, or on an image that was built here.
 *
 * @throws Error for any other image
 */
export async function from(
  instruction: Instruction,
  stages: readonly Stage[],
  globals: ReadonlyMap<string, string>,
  options: BuildOptions,
): Promise<Stage> {
  const [image = "", as, name] = splitWords(instruction.text, (variable) => globals.get(variable)).words;
  if (as !== undefined && as.toUpperCase() !== "AS")
    throw new Error("FROM takes an image, optionally followed by AS and a name");
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
  const built = reference && options.store.named("built", reference.name);
  const local = built && options.store.image(built.digest);
  if (local) {
    const { manifest, root } = local;
    options.say(`FROM ${image}: the image that was built here`);
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
  const tools = await toolImage(image, `FROM ${image}`, options);
  if (tools)
    return stage({ base: image, flavour: "distroless", config: {}, isTools: true, entries: new Map(tools) });
  const base = baseImage(image);
  if (base === undefined) {
    throw new Error(
      `FROM ${image || "nothing"} is not a supported image. A Pod of this cluster is a process of this machine's Node, so it must be one of ${supportedBases}, or an image built here before. COPY --from also accepts ${supportedTools}`,
    );
  }
  const here = process.versions.node;
  const other = base.nodeMajor !== undefined && base.nodeMajor !== Number(here.split(".")[0]);
  options.say(
    `FROM ${image}: not pulled. Containers run this machine's Node ${here}${other ? `, in place of Node ${base.nodeMajor}` : ""}.`,
  );
  return stage({ base: image, flavour: base.flavour, config: base.config });
}

/** The meaning of a FROM here: Node, and the configuration of such an image. */
interface BaseImage {
  readonly flavour: ImageManifest["flavour"];
  readonly config: ImageConfig;
  /** Major version of Node in the image, or undefined if the tag does not say. */
  readonly nodeMajor: number | undefined;
}

/** The supported base images, for messages. */
export const supportedBases =
  "node:<tag>, gcr.io/distroless/nodejs<version>[-debian<version>], cgr.dev/chainguard/node";

/** Returns undefined for an image without Node. */
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

/** Images whose tools this machine provides: repository → path in the image → tool. */
const images: Readonly<Record<string, Readonly<Record<string, ImageTool>>>> = {
  "docker.io/alpine/helm": { "/usr/bin/helm": "helm" },
};

/** The supported tools, for messages. */
export const supportedTools = Object.entries(images)
  .flatMap(([image, tools]) => Object.keys(tools).map((path) => `${path} of ${image}:<tag>`))
  .join(", ");

/**
 * Returns the entries of an image of tools, with this machine's tools. Returns undefined for an unknown
 * image.
 *
 * @param instruction for messages: `FROM docker.io/alpine/helm:4.2.3`
 * @throws Error with the searched places, and how to get the tool
 */
export async function toolImage(
  image: string,
  instruction: string,
  options: BuildOptions,
): Promise<[string, StageEntry][] | undefined> {
  const reference = parseImageReference(image);
  const known = reference && Object.hasOwn(images, reference.repository) && images[reference.repository];
  if (!known) return undefined;
  const entries: [string, StageEntry][] = [];
  for (const [path, tool] of Object.entries(known)) {
    const { version } = await options.findTool(tool).catch((error: Error) => {
      throw new Error(`${instruction}: ${path} is this machine's ${tool} here. ${error.message}`);
    });
    const wanted = /^v?(\d+(?:\.\d+)*)/.exec(reference.tag ?? "")?.[1];
    const isOther = wanted !== undefined && !`${version}.`.startsWith(`${wanted}.`);
    options.say(
      `${instruction}: not pulled. ${path} is this machine's ${tool} ${version}${isOther ? `, in place of ${wanted}` : ""}.`,
    );
    entries.push([path, { type: "tool", tool, version }]);
  }
  return entries;
}
