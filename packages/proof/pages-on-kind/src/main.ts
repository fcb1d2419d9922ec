/** `pnpm proof kind [page…]`: exit status 1 if a page fails on real containers, or something is left behind. */
import { Command } from "commander";
import { checkRequirements } from "./requirements.ts";
import type { Flags } from "./run.ts";

const program = new Command("proof").description("Proves the tutorials' pages on real containers.");
program
  .command("kind")
  .description("run every page on a new kind cluster, delete it, and list what is left")
  .argument("[page...]", "tutorials, pages or paths (default: every page that claims kind)")
  .option("--check", "only check whether this machine can do it: exit status 1 and the reason if not")
  .option("--images", "only build the images that replace published ones if no registry is reachable")
  .option("--report <folder>", "write kind.md and kind.json there, and into each page its providers")
  .option("--logs <folder>", "the folder of kind's logs after a failed page (default: a temporary folder)")
  .action(async (pages: string[], flags: Flags & { check?: boolean }) => {
    process.exitCode = await begin(pages, flags);
  });

try {
  await program.parseAsync();
} catch (error) {
  const expected = ["UserError", "KindError", "ToolNotFoundError", "PageError"];
  const isExpected = error instanceof Error && expected.includes(error.name);
  // The message of a KindError has this prefix already.
  console.error(isExpected ? `error: ${error.message.replace(/^error: /, "")}` : error);
  process.exitCode = 1;
}
// Open handles of a library must not keep the finished command alive.
process.exit();

async function begin(pages: readonly string[], flags: Flags & { check?: boolean }): Promise<number> {
  if (flags.report !== undefined && pages.length > 0) {
    console.error("error: a report covers all pages: remove --report, or the names of pages");
    return 1;
  }
  const requirements = await checkRequirements();
  if ("problem" in requirements) {
    console.error(flags.check ? requirements.problem : `error: ${requirements.problem}`);
    return 1;
  }
  if (flags.check) return 0;
  // Loaded only now, so that a missing engine is reported at once.
  const { run } = await import("./run.ts");
  return run(pages, flags, requirements);
}
