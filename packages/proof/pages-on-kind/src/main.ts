/** `pnpm proof kind [page…]`: exit status 1 when a page is not true on real containers, or something is left behind. */
import { Command } from "commander";
import type { Flags } from "./run.ts";
import { whether } from "./whether.ts";

const program = new Command("proof").description("Proves that the pages are true on real containers.");
program
  .command("kind")
  .description("run every page on a kind cluster of its own, delete it, and look whether anything is left")
  .argument("[page...]", "tutorials, pages or paths (default: every page that claims kind)")
  .option("--check", "only say whether that can be done here: exit status 1, and why not")
  .option("--images", "only make the images that stand for published ones where no registry is reached")
  .option("--report <folder>", "write kind.md and kind.json there, and into each page where it has passed")
  .option("--logs <folder>", "where kind's logs go when a page is not true (default: a temporary folder)")
  .action(async (pages: string[], flags: Flags & { check?: boolean }) => {
    process.exitCode = await begin(pages, flags);
  });

try {
  await program.parseAsync();
} catch (error) {
  const expected = ["UserError", "KindError", "ToolNotFoundError", "PageError"];
  const isExpected = error instanceof Error && expected.includes(error.name);
  // A KindError's message begins so already.
  console.error(isExpected ? `error: ${error.message.replace(/^error: /, "")}` : error);
  process.exitCode = 1;
}
// Whatever a library still holds open must not keep a finished command alive.
process.exit();

async function begin(pages: readonly string[], flags: Flags & { check?: boolean }): Promise<number> {
  if (flags.report !== undefined && pages.length > 0) {
    console.error("error: a report is of all pages: leave --report out, or the pages");
    return 1;
  }
  const means = await whether();
  if ("not" in means) {
    console.error(flags.check ? means.not : `error: ${means.not}`);
    return 1;
  }
  if (flags.check) return 0;
  // Not loaded before it is known that there is something to do: without an engine that is told at once.
  const { run } = await import("./run.ts");
  return run(pages, flags, means);
}
