import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, dirname } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import {
  checkText,
  createShared,
  createSources,
  findPnpm,
  type Mutant,
  type MutantClass,
  mutantClasses,
  mutantsOf,
  noPnpm,
  parsePage,
  runProgram,
  sideBySide,
} from "@operator-path/walkthrough";
import { interruptible } from "../interruptible.ts";
import { listPages, type PageFile } from "../pages.ts";
import { repositoryRoot } from "../repository.ts";
import { notice } from "./notice.ts";
import { createOverlay, type Overlay } from "./overlay.ts";
import { type Outcome, updateReport } from "./report.ts";

export interface MutantsOptions {
  /** Number of mutants that run side by side. Default: the number of cores. */
  readonly jobs?: number;
  /** Default: all. */
  readonly class?: readonly MutantClass[];
  /** At most this many of each page and class, drawn by `seed`. Default: all. */
  readonly count?: number;
  /** Default 1. */
  readonly seed?: number;
  /** Only mutants whose operator or name contains this. */
  readonly only?: string;
  /**
   * Markdown file to write after each page, with its data in a JSON file beside it. Rows of other pages and
   * classes stay. Cannot be combined with `count` and `only`, whose rows would look like whole runs.
   */
  readonly report?: string;
}

/**
 * Breaks each page and its project in one place at a time, and runs the checks of the tutorial: its text, its
 * tests, the page. A check must detect each mutant. The unchanged page must pass within the same limits.
 * Resolves to the exit status: 0 if every mutant is detected, 1 if one survives, 130 after an interrupt.
 * Rejects with UserError if an unchanged page fails.
 */
export async function runMutants(pages: readonly PageFile[], o: MutantsOptions): Promise<number> {
  if (o.report !== undefined && (o.count !== undefined || o.only !== undefined))
    throw new UserError("--report is for whole pages and classes: leave out --count and --only");
  const jobs = o.jobs ?? availableParallelism();
  const classes = o.class ?? mutantClasses;
  const pnpm = findPnpm(process.env);
  if (!pnpm) throw new UserError(noPnpm);
  return interruptible(async (outer) => {
    // The tests of projects import the packed libraries.
    if (classes.some((one) => one !== "text")) await writeDist(pnpm, outer);
    using shared = createShared();
    const existing = (await listPages(repositoryRoot)).map(({ name }) => name);
    const all: Outcome[] = [];
    const sources = createSources(repositoryRoot);
    for (const { name, path } of pages) {
      const page = parsePage(await readFile(path, "utf8"), path);
      const [problem] = checkText(page, { root: repositoryRoot, sources });
      if (problem) throw new UserError(`${name} already has a mistake in its text: ${problem.message}`);
      const mutants = draw(mutantsOf(page, classes), o);
      console.log(`${name}: ${mutants.length} mutants`);
      using overlays = createOverlays(basename(dirname(path)));
      const unchanged: Mutant = { class: "code", operator: asItIs, name: asItIs, changes: new Map() };
      const outcomes: Outcome[] = [];
      const needsRun = mutants.some((mutant) => mutant.class !== "text");
      await sideBySide(
        [...(needsRun ? [unchanged] : []), ...mutants],
        { jobs, signal: outer },
        async (mutant, signal) => {
          const begin = performance.now();
          const overlay = overlays.take();
          try {
            const options = { page: path, overlay, pnpm, signal, shared, sources };
            let noticed = await notice(mutant, options);
            // On a busy machine the unchanged page may miss the short timeouts once.
            if (mutant === unchanged && noticed !== undefined) noticed = await notice(mutant, options);
            if (signal.aborted) return;
            const seconds = (performance.now() - begin) / 1000;
            const wrong = mutant === unchanged && noticed !== undefined;
            if (wrong)
              throw new UserError(
                `${name} fails without any mutation, so its mutants cannot be tested: ${noticed}`,
              );
            if (mutant === unchanged) return;
            outcomes.push({ mutant, noticed });
            console.log(formatOutcome(mutant, noticed, seconds));
          } finally {
            overlays.give(overlay);
          }
        },
      );
      if (outer.aborted) return 130;
      all.push(...outcomes);
      if (o.report === undefined) continue;
      const date = new Date().toISOString().slice(0, 10);
      const runs = classes.map((kind) => {
        const own = outcomes.filter(({ mutant }) => mutant.class === kind);
        return { page: name, class: kind, date, outcomes: own };
      });
      updateReport(o.report, runs, { existing });
    }
    const survivors = all.filter(({ noticed }) => noticed === undefined).length;
    console.log(`${all.length} mutants, ${survivors === 0 ? "all noticed" : `${survivors} survived`}`);
    return survivors === 0 ? 0 : 1;
  });
}

const asItIs = "as it is";

async function writeDist([program = "pnpm", ...args]: readonly string[], signal: AbortSignal): Promise<void> {
  const o = { cwd: repositoryRoot, env: process.env, signal };
  const { status, output } = await runProgram(program, [...args, "run", "dist"], o);
  if (status !== 0) throw new UserError(`the libraries do not compile:\n${output.trimEnd()}`);
}

/** Draws from each class separately, so that a class with few mutants is represented. */
function draw(mutants: readonly Mutant[], { count, seed = 1, only }: MutantsOptions): Mutant[] {
  const wanted = mutants.filter(
    ({ operator, name }) => only === undefined || operator.includes(only) || name.includes(only),
  );
  if (count === undefined) return wanted;
  const random = randomOf(seed);
  return [...Map.groupBy(wanted, (mutant) => mutant.class).values()].flatMap((all) =>
    all
      .map((mutant) => ({ mutant, at: random() }))
      .toSorted((a, b) => a.at - b.at)
      .slice(0, count)
      .map(({ mutant }) => mutant),
  );
}

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A pool of overlays, which makes one when none is free. */
function createOverlays(tutorial: string) {
  const free: Overlay[] = [];
  const made: Overlay[] = [];
  return {
    take(): Overlay {
      const overlay = free.pop() ?? createOverlay(repositoryRoot, tutorial);
      if (!made.includes(overlay)) made.push(overlay);
      return overlay;
    },
    give: (overlay: Overlay) => free.push(overlay),
    [Symbol.dispose]() {
      for (const overlay of made) overlay[Symbol.dispose]();
    },
  };
}

function formatOutcome(
  { class: kind, operator, name }: Mutant,
  noticed: string | undefined,
  seconds: number,
): string {
  const what = `${kind}, ${operator}: ${name}`;
  const time = seconds < 0.1 ? "" : `  ${seconds.toFixed(1)} s`;
  return noticed === undefined ? `  ✗ ${what}: SURVIVES${time}` : `  ✓ ${what}: ${noticed}${time}`;
}
