/** `pnpm start`, `pnpm verify [page…]`, `pnpm mutants [page…]`. */
import { UserError } from "@operator-path/cluster/user-error";
import { ToolNotFoundError } from "@operator-path/tools";
import { Command } from "commander";
import { outliveTerminal } from "./closed-terminal.ts";
import { choosePages } from "./pages.ts";
import { repositoryRoot } from "./repository.ts";
import type { VerifyOptions } from "./verify.ts";

const program = new Command("learn").description("The learning path, and the proof that its pages are true.");

program
  .command("start")
  .description("begin the path; without a terminal, run its first page straight through")
  .action(start);
program
  .command("verify")
  .description("run pages, and compare everything that they show with what happens")
  .argument("[page...]", "tutorials, pages or paths: 01-podbuggertool, 01-podbuggertool/1 (default: all)")
  .option("--json <file>", "write the reports as JSON")
  .option("--junit <file>", "write the reports as JUnit XML")
  .option("--keep", "keep the folders of runs that failed")
  .action(async (pages: string[], options: VerifyOptions) => {
    const { verify } = await import("./verify.ts");
    process.exitCode = await verify(await choosePages(pages, repositoryRoot, process.cwd()), options);
  });
program
  .command("mutants")
  .description("run pages without one of their steps, each in turn: every one must be missed")
  .argument("[page...]", "as for verify")
  .action(async (pages: string[]) => {
    const { runMutants } = await import("./mutants.ts");
    process.exitCode = await runMutants(await choosePages(pages, repositoryRoot, process.cwd()));
  });

outliveTerminal();

try {
  await program.parseAsync();
} catch (error) {
  const expected = error instanceof UserError || error instanceof ToolNotFoundError;
  console.error(expected ? `error: ${error.message}` : error);
  process.exitCode = 1;
}
// Whatever a library still holds open must not keep a finished command alive.
process.exit();

async function start(): Promise<void> {
  const [page] = await choosePages(["01-podbuggertool/1"], repositoryRoot, process.cwd());
  if (page === undefined) throw new UserError("the first page is missing");
  if (process.stdin.isTTY && process.stdout.isTTY && !process.env.CI) {
    const { startInteractively } = await import("./start/interactive.ts");
    process.exitCode = await startInteractively(repositoryRoot, page);
  } else {
    const { verify } = await import("./verify.ts");
    process.exitCode = await verify([page], {});
  }
}
