import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { userDirectories } from "@operator-path/tools";
import { shellCommand } from "./shell-command.ts";

/** Text of a shell script that is `operator-sdk` to whoever has it on the PATH: the checkout's own, from its sources. */
export function operatorSdkScript(): string {
  const manifest = createRequire(import.meta.url).resolve("@operator-path/operator-sdk/package.json");
  const main = join(dirname(manifest), "src", "main.ts");
  // As for the cluster's process: sources that stay where they are need not be compiled for each run.
  const compiled = `NODE_COMPILE_CACHE=${join(userDirectories().cache, "compiled")}`;
  return shellCommand([
    "/usr/bin/env",
    compiled,
    process.execPath,
    "--conditions=@operator-path/source",
    main,
  ]);
}
