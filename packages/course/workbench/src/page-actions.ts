import type { Block, ConsoleBlock, Entry, Page } from "@operator-path/walkthrough";
import { idsOf } from "./page/view-page.ts";

/** An action of the page, as the browser names it. Its text is the server's. */
export interface ActionName {
  /** Id of the block. */
  readonly id: string;
  readonly hash: string;
  /** Index of the entry in a console block. 0 for a file. */
  readonly entry: number;
}

/** Returns the key of an action's state. */
export function keyOf({ id, entry }: Pick<ActionName, "id" | "entry">): string {
  return `${id}#${entry}`;
}

/**
 * Returns the keys of the actions of a step. A quotation is only read.
 *
 * @param isWanted chooses blocks. Default: all
 */
export function actionsOf(
  page: Page,
  step: Page["steps"][number],
  isWanted: (block: Block) => boolean = () => true,
): string[] {
  return idsOf(page, step)
    .filter(({ block }) => isWanted(block))
    .flatMap(({ id, block }) => indicesOf(block).map((entry) => keyOf({ id, entry })));
}

function indicesOf(block: Block): number[] {
  if (block.kind === "quotation" || block.kind === "tree") return [];
  return block.kind === "console" ? [...block.entries.keys()] : [0];
}

/** An entry of a console block, and where it is. */
export interface PlacedEntry {
  readonly key: string;
  readonly block: ConsoleBlock;
  readonly entry: Entry;
  /** The name of its terminal. */
  readonly terminal: string;
  /** Whether the command is left running. */
  readonly isLeftRunning: boolean;
}

/** Returns an entry of a console block with its place. */
export function placeEntry(id: string, block: ConsoleBlock, index: number): PlacedEntry | undefined {
  const entry = block.entries[index];
  if (!entry) return undefined;
  const lastCommand = block.entries.findLastIndex(({ kind }) => kind === "command");
  return {
    ...{ key: keyOf({ id, entry: index }), block, entry, terminal: block.options.terminal || "main" },
    isLeftRunning: block.options.running && index === lastCommand,
  };
}

/** Returns the entries of all console blocks, in the page's order. Those of solutions are not among them. */
export function entriesOf(page: Page): PlacedEntry[] {
  return page.steps
    .flatMap((step) => idsOf(page, step))
    .flatMap(({ id, block }) =>
      block.kind === "console" ? block.entries.flatMap((_, i) => placeEntry(id, block, i) ?? []) : [],
    );
}
