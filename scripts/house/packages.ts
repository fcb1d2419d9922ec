import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";

/**
 * The order of the house: later wings may import earlier ones, never the other way round; within a wing a package
 * may import those of earlier levels. Packages of one level do not know each other. Names that do not exist yet are
 * the plan (docs/architecture.md).
 */
export const wings: Readonly<Record<string, readonly (readonly string[])[]>> = {
  sdk: [
    ["client"],
    ["informers"],
    ["controller-runtime"],
    ["helm-operator", "controller-gen"],
    ["operator-sdk"],
    ["create-operator"],
  ],
  cluster: [["tools"], ["apiserver"], ["controller-manager"], ["kubelet"], ["kind"], ["ui"], ["cluster"]],
  course: [["doctor", "walkthrough"], ["workbench"], ["learn"]],
  proof: [["faults", "conformance", "bench", "pages-on-kind", "recipes"]],
};

/** A package of the workspace. */
export interface HousePackage {
  /** As in package.json: `@operator-path/client`. */
  readonly name: string;
  /** Relative to the root of the repository, with forward slashes. */
  readonly folder: string;
  /** Its place in the order, or undefined for what stands outside it: scripts (may import all) and tutorials. */
  readonly place: number | undefined;
  readonly manifest: Manifest;
}

export interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Every package of the workspace below `root`. Throws for a package that stands in no wing of the order. */
export function housePackages(root: string): HousePackage[] {
  const patterns = ["packages/*/*", "tutorials/*", "tutorials/*/*", "scripts"];
  return patterns
    .flatMap((pattern) => globSync(`${pattern}/package.json`, { cwd: root }))
    .filter((file) => !file.includes("node_modules"))
    .map((file) => {
      const manifest = JSON.parse(readFileSync(join(root, file), "utf8")) as Manifest;
      const folder = relative(root, join(root, dirname(file))).replaceAll("\\", "/");
      return { name: manifest.name, folder, place: placeOf(folder), manifest };
    });
}

/** Where `packages/<wing>/<name>` stands: larger numbers may import smaller ones. */
export function placeOf(folder: string): number | undefined {
  if (!folder.startsWith("packages/")) return undefined;
  const order = Object.entries(wings).flatMap(([wing, levels]) =>
    levels.map((names) => names.map((name) => `${wing}/${name}`)),
  );
  const own = `${basename(dirname(folder))}/${basename(folder)}`;
  const place = order.findIndex((level) => level.includes(own));
  if (place === -1)
    throw new Error(`${folder} stands in no wing: give it its place in scripts/house/packages.ts`);
  return place;
}
