import { dirname } from "node:path";
import type { Finding } from "../finding.ts";
import type { Probe, Scene } from "../probe.ts";
import { show } from "./memory.ts";

const gigabyte = 2 ** 30;
/** Tools in the cache, projects with their dependencies, logs. */
const forPages = gigabyte;
/** The node image, unpacked, with what two nodes write. */
const forKind = 4 * gigabyte;

/** Space for the user's cache, and where an engine keeps its images. */
export const diskProbe: Probe = {
  subject: "disk",
  neededFor: ["embedded", "kind", "existing"],
  look: async (scene) => [await look(scene)],
};

async function look(scene: Scene): Promise<Finding> {
  const { machine, engines, system } = scene;
  const own = await free(scene, machine.cacheDirectory);
  const engine = (await engines).find(({ status }) => status === "ready");
  const images = engine?.folder === undefined ? undefined : await free(scene, engine.folder);
  const least = Math.min(own ?? Number.POSITIVE_INFINITY, images ?? own ?? Number.POSITIVE_INFINITY);
  const base = { subject: "disk", neededFor: diskProbe.neededFor };
  if (own === undefined) return { ...base, state: "note", found: "unknown", neededFor: [] };
  if (own < forPages) {
    const details = [
      `${machine.cacheDirectory} has ${show(own)}; tools and projects need ${show(forPages)}.`,
    ];
    const mend = {
      commands: [system.family === "macos" ? "du -sh ~/Library/Caches" : "du -sh ~/.cache ~/.local/share"],
      words: ["Remove what you do not need."],
    };
    return { ...base, state: "missing", found: `${show(own)} free`, details, mend };
  }
  if (least < forKind) {
    const details = [`Images and nodes of kind need ${show(forKind)}.`];
    const mend = {
      commands: [`${engine?.name ?? "docker"} system df`],
      words: [
        `It says what the engine keeps; ${engine?.name ?? "docker"} system prune removes what nothing uses.`,
      ],
    };
    return { ...base, state: "weak", found: `${show(least)} free`, neededFor: ["kind"], details, mend };
  }
  return { ...base, state: "ok", found: `${show(least)} free` };
}

/** Of the folder, or of the nearest one above that is there. */
async function free(scene: Scene, folder: string): Promise<number | undefined> {
  for (let path = folder; ; path = dirname(path)) {
    try {
      return await scene.machine.freeSpace(path);
    } catch {
      if (path === dirname(path)) return undefined;
    }
  }
}
