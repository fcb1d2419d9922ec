import { dirname } from "node:path";
import { clusterNeeds, inGigabytes } from "@operator-path/kind";
import type { Finding } from "../finding.ts";
import type { Probe, Scene } from "../probe.ts";
import { show } from "./memory.ts";

const gigabyte = 2 ** 30;
/** Space for tools in the cache, projects with their dependencies, and logs. */
const forPages = gigabyte;
const { disk: forKind } = clusterNeeds;

/** Free space for the user's cache, and for the images of an engine. */
export const diskProbe: Probe = {
  subject: "disk",
  neededFor: ["embedded", "kind", "existing"],
  look: async (scene) => [await look(scene)],
};

async function look(scene: Scene): Promise<Finding> {
  const { machine, engines, system } = scene;
  const own = await free(scene, machine.cacheDirectory);
  const engine = (await engines).find(({ status }) => status === "ready");
  // On this machine, the folder of a remote engine would be another one.
  const here = engine?.elsewhere ? undefined : engine?.folder;
  const images = here === undefined ? undefined : await free(scene, here, true);
  const least = Math.min(own ?? Number.POSITIVE_INFINITY, images ?? own ?? Number.POSITIVE_INFINITY);
  const base = { subject: "disk", neededFor: diskProbe.neededFor };
  if (own === undefined) return { ...base, state: "note", found: "unknown", neededFor: [] };
  if (own < forPages) {
    const details = [
      `${machine.cacheDirectory} has ${show(own)}; tools and projects need ${show(forPages)}.`,
    ];
    const mend = {
      commands: [system.family === "macos" ? "du -sh ~/Library/Caches" : "du -sh ~/.cache ~/.local/share"],
      words: ["Delete files that you do not need."],
    };
    return { ...base, state: "missing", found: `${show(own)} free`, details, mend };
  }
  if (least < forKind) {
    const details = [`Images and nodes of kind need ${inGigabytes(forKind)}.`];
    const mend = {
      commands: [`${engine?.name ?? "docker"} system df`],
      words: [
        `It shows what the engine stores. ${engine?.name ?? "docker"} system prune removes what is unused.`,
      ],
    };
    return { ...base, state: "weak", found: `${show(least)} free`, neededFor: ["kind"], details, mend };
  }
  const found = `${show(least)} free`;
  if (!engine?.elsewhere) return { ...base, state: "ok", found };
  const details = [
    `${engine.name} keeps images on a disk that the doctor cannot see: ${engine.name} system df shows what it stores.`,
  ];
  return { ...base, state: "ok", found, details };
}

/**
 * Returns the free space of a folder. Falls back to its parents if it does not exist yet, or with `known` if
 * it is unreadable.
 */
async function free(scene: Scene, folder: string, known = false): Promise<number | undefined> {
  for (let path = folder; ; path = dirname(path)) {
    try {
      return await scene.machine.freeSpace(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (path === dirname(path) || (known && code === "ENOENT")) return undefined;
    }
  }
}
