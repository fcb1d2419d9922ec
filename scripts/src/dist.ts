/**
 * `pnpm dist`: packs the packages that are published, as tarballs in the folder `dist` of the checkout, and puts their
 * JavaScript and declarations into their own folders for the tutorials' projects. Work on a package needs neither:
 * workspace imports resolve to sources.
 */
import { join } from "node:path";
import { collectTarballs, packPackages, writeDist } from "@operator-path/operator-sdk";

const root = join(import.meta.dirname, "../..");
const packed = await packPackages({ root });
await writeDist(root, packed);
await collectTarballs(packed, join(root, "dist"));
console.log(`dist has ${packed.length} tarballs that match their sources`);
