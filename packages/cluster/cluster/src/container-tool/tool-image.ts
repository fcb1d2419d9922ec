import { type ImageTool, parseImageReference } from "@operator-path/kubelet/local-images";
import type { BuildOptions } from "./build-options.ts";
import type { StageEntry } from "./stage.ts";

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
