import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { showProgress } from "@operator-path/kind";
import { choosePages, interruptible, listPages, repositoryRoot } from "@operator-path/learn";
import { parsePage, terminalReporter } from "@operator-path/walkthrough";
import { withVerifiedLine } from "./claims.ts";
import { buildImages, imageName } from "./images/build-images.ts";
import { prove } from "./prove.ts";
import { formatReport, type KindReport } from "./report.ts";
import type { Means } from "./whether.ts";

/** As the command line gives them. */
export interface Flags {
  readonly images?: boolean;
  readonly report?: string;
  readonly logs?: string;
}

const say = (line: string): void => console.log(line);

/** Carries out the command where there is an engine. Resolves to the exit status, 130 after Ctrl+C. */
export function run(names: readonly string[], flags: Flags, means: Means): Promise<number> {
  return interruptible((signal) =>
    flags.images ? makeImages(means, signal) : provePages(names, flags, means, signal),
  );
}

async function makeImages({ engine }: Means, signal: AbortSignal): Promise<number> {
  await buildImages({
    engine,
    signal,
    onProgress: ({ name, built }) => say(`${name}: ${built ? "built" : "was there"}`),
  });
  for (const [variable, name] of [
    ["NODE_IMAGE", "node"],
    ["HELM_IMAGE", "helm"],
    ["KIND_REGISTRY_IMAGE", "registry"],
  ] as const)
    say(`export ${variable}=${imageName({ name })}`);
  return 0;
}

async function provePages(
  names: readonly string[],
  flags: Flags,
  means: Means,
  signal: AbortSignal,
): Promise<number> {
  // A proof takes a quarter of an hour: nobody should learn only afterwards that its report has no folder to go to.
  if (flags.report !== undefined) await mkdir(flags.report, { recursive: true });
  const chosen = await choosePages(names, repositoryRoot, process.env.INIT_CWD ?? process.cwd());
  const claiming = await Promise.all(
    chosen.map(async (page) => ((await providersOf(page.path)).includes("kind") ? [page] : [])),
  );
  const pages = names.length > 0 ? chosen : claiming.flat();
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
  tell(report, pages.length);
  // What was interrupted says nothing of the pages that were not begun.
  if (flags.report !== undefined && !signal.aborted) await writeReport(report, flags.report);
  const isWhole = report.pages.length === pages.length && report.pages.every(({ passed }) => passed);
  return isWhole && report.left.length === 0 ? 0 : 1;
}

function tell({ pages, left, seconds }: KindReport, count: number): void {
  say("");
  for (const { page, passed, passedSteps, steps, seconds, difference = "" } of pages) {
    say(
      `${passed ? "✓" : "✗"} ${page}  ${passedSteps} of ${steps}  ${seconds.toFixed(1)} s  ${difference}`.trimEnd(),
    );
  }
  for (const line of left) say(`left behind: ${line}`);
  const passed = pages.filter((page) => page.passed).length;
  const rest = left.length === 0 ? "nothing is left" : `left behind: ${left.length}`;
  say(`\n${passed} of ${count} pages passed on kind in ${seconds.toFixed(1)} s; ${rest}`);
}

async function writeReport(report: KindReport, folder: string): Promise<void> {
  await writeFile(join(folder, "kind.json"), `${JSON.stringify(report, undefined, 1)}\n`);
  await writeFile(join(folder, "kind.md"), formatReport(report));
  for (const { path } of await listPages(repositoryRoot)) {
    const text = await readFile(path, "utf8");
    await writeFile(path, withVerifiedLine(text, { providers: await providersOf(path) }));
  }
}

async function providersOf(path: string): Promise<readonly string[]> {
  return parsePage(await readFile(path, "utf8"), path).frontMatter.providers;
}
