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
import type { Requirements } from "./requirements.ts";

/** The flags of the command line. */
export interface Flags {
  readonly images?: boolean;
  readonly report?: string;
  readonly logs?: string;
}

const say = (line: string): void => console.log(line);

/** Runs the command. Resolves to the exit status, 130 after Ctrl+C. */
export function run(names: readonly string[], flags: Flags, requirements: Requirements): Promise<number> {
  return interruptible((signal) =>
    flags.images ? makeImages(requirements, signal) : provePages(names, flags, requirements, signal),
  );
}

async function makeImages({ engine }: Requirements, signal: AbortSignal): Promise<number> {
  await buildImages({
    engine,
    signal,
    onProgress: ({ name, built }) => say(`${name}: ${built ? "built" : "up to date"}`),
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
  requirements: Requirements,
  signal: AbortSignal,
): Promise<number> {
  // A proof takes a quarter of an hour: a report folder that cannot be created must fail before it.
  if (flags.report !== undefined) await mkdir(flags.report, { recursive: true });
  const chosen = await choosePages(names, repositoryRoot, process.env.INIT_CWD ?? process.cwd());
  const claiming = await Promise.all(
    chosen.map(async (page) => ((await providersOf(page.path)).includes("kind") ? [page] : [])),
  );
  const pages = names.length > 0 ? chosen : claiming.flat();
  const logs = resolve(flags.logs ?? join(tmpdir(), `operator-path-kind-logs-${process.pid}`));
  // All temporary files are below one folder, so that leftovers show.
  const temporary = await mkdtemp(join(tmpdir(), "operator-path-proof-"));
  process.env.TMPDIR = temporary;
  let report: KindReport;
  try {
    report = await prove(pages, {
      ...requirements,
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
  printResult(report, pages.length);
  // An interrupted run has no result for the pages that did not start.
  if (flags.report !== undefined && !signal.aborted) await writeReport(report, flags.report);
  const isWhole = report.pages.length === pages.length && report.pages.every(({ passed }) => passed);
  return isWhole && report.left.length === 0 ? 0 : 1;
}

function printResult({ pages, left, seconds }: KindReport, count: number): void {
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
