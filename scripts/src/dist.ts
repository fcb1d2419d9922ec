/**
 * `pnpm dist`: JavaScript and declarations of the packages that are published, in their folders, where the tutorials'
 * projects find them. Whoever works on a package needs none of it: workspace imports resolve to sources.
 */
import { join } from "node:path";
import { packPackages, writeDist } from "@operator-path/operator-sdk";

const root = join(import.meta.dirname, "../..");
const packed = await packPackages({ root });
await writeDist(root, packed);
console.log(`dist of ${packed.length} packages fits their sources`);
