/** `pnpm proof kind [page…]`: exit status 1 when a page is not true on real containers, or something is left behind. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import { KindError, showProgress } from "@operator-path/kind";
import { choosePages, interruptible, listPages, repositoryRoot } from "@operator-path/learn";
import { ToolNotFoundError } from "@operator-path/tools";
import { parsePage, terminalReporter } from "@operator-path/walkthrough";
import { Command } from "commander";
import { withVerifiedLine } from "./claims.ts";
import { buildImages, imageName } from "./images/build-images.ts";
import { prove } from "./prove.ts";
import { formatReport, type KindReport } from "./report.ts";
import { whether } from "./whether.ts";

interface Flags {
  readonly check?: boolean;
  readonly images?: boolean;
  readonly report?: string;
  readonly logs?: string;
}

const say = (line: string): void => console.log(line);

const program = new Command("proof").description("Proves that the pages are true on real containers.");
program
  .command("kind")
  .description("run every page on a kind cluster of its own, delete it, and look whether anything is left")
  .argument("[page...]", "tutorials, pages or paths (default: every page that claims kind)")
  .option("--check", "only say whether that can be done here: exit status 1, and why not")
  .option("--images", "only make the images that stand for published ones where no registry is reached")
  .option("--report <folder>", "write kind.md and kind.json there, and into each page where it has passed")
  .option("--logs <folder>", "where kind's logs go when a page is not true (default: a temporary folder)")
  .action(async (pages: string[], flags: Flags) => {
    process.exitCode = await interruptible((signal) => run(pages, flags, signal));
  });

try {
  await program.parseAsync();
} catch (error) {
  const expected = [UserError, KindError, ToolNotFoundError].some((kind) => error instanceof kind);
  const message = error instanceof Error ? error.message : String(error);
  // A KindError's begins so already.
  console.error(expected ? (message.startsWith("error: ") ? message : `error: ${message}`) : error);
  process.exitCode = 1;
}
process.exit();

async function run(names: readonly string[], flags: Flags, signal: AbortSignal): Promise<number> {
  const means = await whether();
  if ("not" in means) {
    console.error(flags.check ? means.not : `error: ${means.not}`);
    return 1;
  }
  if (flags.check) return 0;
  if (flags.images) {
    await buildImages({
      engine: means.engine,
      signal,
      onProgress: ({ name, built }) => say(`${name}: ${built ? "built" : "was there"}`),
    });
    for (const [variable, image] of [
      ["NODE_IMAGE", "node"],
      ["HELM_IMAGE", "helm"],
      ["KIND_REGISTRY_IMAGE", "registry"],
    ] as const)
      say(`export ${variable}=${imageName({ name: image })}`);
    return 0;
  }
  const chosen = await choosePages(names, repositoryRoot, process.env.INIT_CWD ?? process.cwd());
  const claims = await claimsOf(chosen.map(({ path }) => path));
  const pages = names.length > 0 ? chosen : chosen.filter(({ path }) => claims.get(path)?.includes("kind"));
  const logs = resolve(flags.logs ?? join(tmpdir(), `operator-path-kind-logs-${process.pid}`));
  // Everything temporary is below one folder, so that it can be seen whether it is gone.
  const temporary = await mkdtemp(join(tmpdir(), "operator-path-proof-"));
  process.env.TMPDIR = temporary;
  let report: KindReport;
  try {
    report = await prove(pages, {
      ...means,
      root: repositoryRoot,
      config: join(repositoryRoot, "tutorials/02-memcached-operator/kind-cluster.yaml"),
      temporary,
      logs,
      command: ["pnpm proof kind", ...names].join(" "),
      signal,
      env: process.env,
      say,
      onKind: showProgress(process.stdout),
      reporter: terminalReporter(process.stdout, {}),
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return tell(report, pages.length, flags);
}

async function tell(report: KindReport, count: number, flags: Flags): Promise<number> {
  for (const { page, passed, passedSteps, steps, seconds, difference } of report.pages)
    say(
      `${passed ? "✓" : "✗"} ${page}  ${passedSteps} of ${steps}  ${seconds.toFixed(1)} s${difference ? `  ${difference}` : ""}`,
    );
  for (const line of report.left) say(`left behind: ${line}`);
  const passed = report.pages.filter((page) => page.passed).length;
  say(
    `${passed} of ${count} pages passed on kind in ${report.seconds.toFixed(1)} s; ${report.left.length === 0 ? "nothing is left" : `${report.left.length} things are left`}`,
  );
  if (flags.report !== undefined) {
    const folder = resolve(flags.report);
    await writeFile(join(folder, "kind.json"), `${JSON.stringify(report, undefined, 1)}\n`);
    await writeFile(join(folder, "kind.md"), formatReport(report));
    await writeVerifiedLines();
  }
  return passed === count && report.left.length === 0 ? 0 : 1;
}

async function writeVerifiedLines(): Promise<void> {
  for (const { path } of await listPages(repositoryRoot)) {
    const text = await readFile(path, "utf8");
    await writeFile(path, withVerifiedLine(text, parsePage(text, path).frontMatter));
  }
}

async function claimsOf(paths: readonly string[]): Promise<Map<string, readonly string[]>> {
  const claims = new Map<string, readonly string[]>();
  for (const path of paths)
    claims.set(path, parsePage(await readFile(path, "utf8"), path).frontMatter.providers);
  return claims;
}
