import { existsSync, realpathSync } from "node:fs";
import { dirname, posix, resolve, sep } from "node:path";
import type { ContainerFolder } from "../container-folder.ts";

/** A tool is not started, and this is what it would have said. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}

/** Files of a container as a tool has to name them, which is outside of it. */
export interface ToolPaths {
  /**
   * @param path absolute, of the container
   * @throws Refusal: it leads out of the container, by a link
   */
  toHost(path: string): string;
  /** @param path of the host: a process's working folder, say */
  toContainer(path: string): string;
}

/** What is the same on both sides. Nothing else of /dev and /proc is: /proc/self/root is the host. */
const same = /^\/dev\/(?:null|stdin|stdout|stderr)$/;

export function toolPaths({
  root,
  mounts,
  reads,
}: Pick<ContainerFolder, "root" | "mounts" | "reads">): ToolPaths {
  const isIn = (path: string, folder: string) => path === folder || path.startsWith(`${folder}${sep}`);
  const allowed = [root, ...reads, ...mounts.map(([, host]) => host)];
  function contained(path: string): string {
    let there = path;
    while (!existsSync(there) && there !== dirname(there)) there = dirname(there);
    const real = realpathSync(there);
    if (allowed.some((folder) => existsSync(folder) && isIn(real, realpathSync(folder)))) return path;
    throw new Refusal(`${toContainer(path)} is a link that leads out of the container`);
  }
  function toContainer(path: string): string {
    const mount = mounts.find(([, host]) => isIn(path, host));
    if (mount) return mount[0] + path.slice(mount[1].length);
    return isIn(path, root) ? path.slice(root.length) || "/" : path;
  }
  return {
    toContainer,
    toHost(path) {
      const whole = posix.resolve("/", toContainer(resolve(path)));
      if (same.test(whole)) return whole;
      const mount = mounts.find(([at]) => isIn(whole, at));
      return contained(mount ? mount[1] + whole.slice(mount[0].length) : root + (whole === "/" ? "" : whole));
    },
  };
}
