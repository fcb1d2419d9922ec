// Runs before a program of the repository, on the Node that is there. Without the packages that is the user's own. It
// may not run TypeScript, and its error would name neither the cause nor the remedy. With them, it lets Node keep what
// it compiles: otherwise each command strips the types of hundreds of modules again.
import { existsSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

if (!existsSync(new URL("../node_modules/.modules.yaml", import.meta.url)) || !process.features.typescript) {
  console.error(
    "error: the packages are not installed. The first error of the installation is above. Mend its cause (is there a network?), then run `npx --yes pnpm@12 install`",
  );
  process.exit(1);
}

module.enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)));
