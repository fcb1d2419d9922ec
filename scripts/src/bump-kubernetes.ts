/** `pnpm bump-kubernetes VERSION`: moves the repository to another version of Kubernetes. */
import { join } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import { kubernetesVersions } from "@operator-path/tools";
import { Command } from "commander";
import { bumpKubernetes } from "./bump-kubernetes/bump.ts";
import { realRegistries } from "./bump-kubernetes/registries.ts";

interface Flags {
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly generate: boolean;
}

const interrupted = new AbortController();
process.once("SIGINT", () => interrupted.abort());
process.once("SIGTERM", () => interrupted.abort());

await new Command("bump-kubernetes")
  .description("Moves the repository to another version of Kubernetes, and lists what a person must look at.")
  .argument("<version>", "a minor version, such as 1.37 (its newest patch), or a patch, such as 1.37.1")
  .option("--dry-run", "print what would change, and write nothing")
  .option("--force", "accept uncommitted changes")
  .option("--no-generate", "list all generators instead of running those that need registries only")
  .showHelpAfterError(false)
  .action(async (version: string, flags: Flags) => {
    try {
      const text = await bumpKubernetes(version, {
        ...flags,
        root: join(import.meta.dirname, "../.."),
        current: kubernetesVersions,
        registries: realRegistries(),
        signal: interrupted.signal,
        log: (line) => console.error(line),
      });
      console.log(text);
    } catch (error) {
      console.error(error instanceof UserError ? `error: ${error.message}` : error);
      process.exitCode = 1;
    }
  })
  .parseAsync();
