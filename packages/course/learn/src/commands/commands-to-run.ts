import type { ConsoleBlock, Entry, Page, Step } from "@operator-path/walkthrough";
import { changeOf, deletedBy, getOfDeleted, mayName } from "./changes.ts";
import type { ObjectCommand } from "./page-objects.ts";

/** A command of a page that later steps need, and that catch-up does not run. */
export interface CommandToRun {
  readonly step: Step;
  /** Number of the terminal, from 1, in the order of the page. */
  readonly terminal: number;
  /** The whole command, with newlines between its lines. */
  readonly text: string;
  /** Line of the page. */
  readonly line: number;
}

interface Placed {
  readonly step: Step;
  readonly block: ConsoleBlock;
  readonly entry: Entry;
}

/**
 * Returns the commands whose effect a learner lacks after catch-up, in the order of the page:
 *
 * - `make` with a target that builds an image or deploys it, unless a later command up to the step makes it superfluous
 * - assignments of shell variables that the page uses after the step, before it sets them again
 * - programs that still run in a terminal at the end of the step, except kubectl commands that only read
 *
 * @param until the last step
 */
export function commandsToRun(page: Page, until: Step): CommandToRun[] {
  const all = placedOf(page);
  const upTo = all.filter(({ step }) => step.line <= until.line);
  const found = [
    ...imagesAndDeployments(upTo.map(({ entry }) => entry)),
    ...variables(all, until),
    ...stillRunning(upTo),
  ];
  return found.length === 0 ? [] : numbered(all, (one) => upTo.includes(one) && found.includes(one.entry));
}

/**
 * Returns the commands that change objects of the cluster, and that catch-up cannot run again: the object may be
 * another one now, or have changed since. `kubectl scale`, `set`, `patch`, `label` and `annotate`, `kubectl run` and
 * `create` without a file, and helm's. Leaves out those of objects that a later command deletes, those of the operator
 * itself before a later `make deploy`, and all but the last `scale` of an object.
 *
 * @param until the last step
 */
export function changesToRepeat(page: Page, until: Step): CommandToRun[] {
  const all = placedOf(page);
  const upTo = all.filter(({ step }) => step.line <= until.line);
  return numbered(all, (one) => {
    const change = changeOf(one.entry);
    if (!change || !upTo.includes(one)) return false;
    return !upTo.slice(upTo.indexOf(one) + 1).some(({ entry }) => {
      if (deletedBy(entry.text).objects.some((one) => mayName(one, change))) return true;
      // The operator's manifests have its replicas, webhooks and permissions.
      if (
        makeTargets(entry).includes("deploy") &&
        (/controller-manager|webhookconfiguration/.test(one.entry.text) ||
          (change.verb === "patch" && /^(?:cluster)?roles?$/.test(change.type)))
      )
        return true;
      const later = changeOf(entry);
      return later?.verb === "scale" && change.verb === "scale" && later.name === change.name;
    });
  });
}

/** A command that deletes objects by name. */
export interface Deletion extends CommandToRun {
  /** Prints the owners of those objects that the cluster still has, and fails if it lacks one of them. */
  readonly owners: string;
}

/**
 * Returns the commands that delete objects by name, unless a later command makes the objects again or deletes them.
 *
 * @param until the last step
 * @param made the commands whose objects exist after it
 */
export function deletionsToRepeat(page: Page, until: Step, made: readonly ObjectCommand[]): Deletion[] {
  const isMadeAgain = ({ text, line }: CommandToRun): boolean => {
    const names = deletedBy(text).objects.map(({ name }) => name);
    return made.some((other) => other.line > line && other.names.some((name) => names.includes(name)));
  };
  const deletions = new Map<string, Deletion>();
  for (const command of numbered(placedOf(page), ({ step }) => step.line <= until.line)) {
    const get = getOfDeleted(command.text);
    if (get === undefined || isMadeAgain(command)) continue;
    const owners = `${get} -o jsonpath='{..ownerReferences}' 2>/dev/null`;
    deletions.set(get, { ...command, owners });
  }
  return [...deletions.values()];
}

/** Returns the chosen commands with the numbers of their terminals. */
function numbered(all: readonly Placed[], isChosen: (one: Placed) => boolean): CommandToRun[] {
  const terminals = [...new Set(["", ...all.map(({ block }) => block.options.terminal)])];
  return all.filter(isChosen).map(({ step, block, entry }) => ({
    ...{ step, terminal: terminals.indexOf(block.options.terminal) + 1 },
    ...{ text: entry.text, line: entry.line },
  }));
}

/** Leaves out Clean up, blocks for some providers only, and commands that the page expects to fail. */
function placedOf({ steps }: Page): Placed[] {
  return steps
    .filter(({ cleanUp }) => !cleanUp)
    .flatMap((step) =>
      step.blocks.flatMap((block) =>
        block.kind === "console" && block.options.providers === undefined
          ? block.entries.map((entry) => ({ step, block, entry }))
          : [],
      ),
    )
    .filter(({ entry }) => (entry.expected.exitStatus ?? 0) === 0);
}

function imagesAndDeployments(entries: readonly Entry[]): Entry[] {
  return entries.filter((entry, at) => {
    const targets = makeTargets(entry);
    if (!targets.some((target) => /^(?:docker-|deploy$)/.test(target))) return false;
    return !entries.slice(at + 1).some((other) => {
      const later = makeTargets(other);
      return later.includes("undeploy") || targets.every((target) => later.includes(target));
    });
  });
}

function makeTargets({ kind, text }: Entry): string[] {
  if (kind !== "command" || !/^make\s/.test(text)) return [];
  return text.split(/\s+/).filter((word, i) => i > 0 && /^[\w-]+$/.test(word) && !word.startsWith("-"));
}

/**
 * Returns the commands of earlier steps that set shell variables, the last one of each, if the page uses the variable
 * in a step or after it. A new shell lacks them. Leaves out a port of the page's, which the learner's may not be.
 *
 * @param next the step in which the learner goes on
 */
export function variablesToSet(page: Page, next: Step): CommandToRun[] {
  const all = placedOf(page);
  const before = page.steps[page.steps.indexOf(next) - 1];
  const found = before ? variables(all, before).filter(({ text }) => !/127\.0\.0\.1:\d/.test(text)) : [];
  const last = found.filter(
    (entry, at) => !found.slice(at + 1).some((one) => assigned(one) === assigned(entry)),
  );
  return numbered(all, ({ entry }) => last.includes(entry));
}

function variables(all: readonly Placed[], until: Step): Entry[] {
  return all.flatMap(({ step, block, entry }, at) => {
    const name = assigned(entry);
    if (name === undefined || block.options.running || step.line > until.line) return [];
    const sameTerminal = all
      .slice(at + 1)
      .filter((other) => other.block.options.terminal === block.options.terminal);
    const next = sameTerminal.find(
      (other) => assigned(other.entry) === name || (other.step.line > until.line && uses(other.entry, name)),
    );
    return next && next.step.line > until.line && uses(next.entry, name) ? [entry] : [];
  });
}

/** Returns the variable that a command sets, and does nothing else. */
function assigned({ kind, text }: Entry): string | undefined {
  if (kind !== "command") return undefined;
  return /^(?:export\s+)?([A-Za-z_]\w*)=(?:\$\([\s\S]*\)|"[^"]*"|'[^']*'|[^\s"'$]*)$/.exec(text)?.[1];
}

function uses({ text }: Entry, name: string): boolean {
  return new RegExp(`\\$\\{?${name}\\b`).test(text);
}

function stillRunning(upTo: readonly Placed[]): Entry[] {
  const running = new Map<string, readonly Entry[]>();
  for (const { block, entry } of upTo) {
    const { terminal } = block.options;
    const commands = block.entries.filter(
      ({ kind, text }) => kind === "command" && !/^kubectl (?:get|logs)\b/.test(text),
    );
    if (entry.kind === "interrupt" || entry.kind === "end-of-input") running.delete(terminal);
    // An interrupt in this block ends the program of the block before.
    if (block.options.running && entry === block.entries.at(-1) && commands.length > 0)
      running.set(terminal, commands);
  }
  return [...running.values()].flat();
}
