import { diffArrays } from "diff";
import { findMismatch } from "../files/slice.ts";
import type { FileState, PagesHistory, ProjectEnd } from "./history.ts";
import { contentOf, nothingLeft, type Replacement, replacementOf, writes } from "./rewrite-pages.ts";

/** The blocks of one file after a change of the committed file. */
export interface FollowedFile {
  /** New contents of fences, for `replaceBlocks`. */
  readonly replacements: readonly Replacement[];
  /** The file as each project must have it. */
  readonly ends: ReadonlyMap<ProjectEnd, string>;
  /** What an author has to correct, with a line of a page. */
  readonly byHand: readonly { readonly path: string; readonly line: number; readonly message: string }[];
}

/** A change of a committed file that has no single place on the pages. */
export class UnclearChange extends Error {
  /** Line of the new file, from 1. */
  readonly line: number;
  /** The blocks that may be meant. */
  readonly candidates: readonly FileState[];
  constructor(line: number, message: string, candidates: readonly FileState[] = []) {
    super(message);
    this.name = "UnclearChange";
    this.line = line;
    this.candidates = candidates;
  }
}

/** A line of a file. All states that have the line share this object, so one change reaches all of them. */
interface Line {
  text: string;
  /** The block that the line comes from. Undefined: a command. */
  readonly by: FileState | undefined;
}

interface Weave {
  readonly before: Map<FileState, Line[]>;
  readonly after: Map<FileState, Line[]>;
  readonly ends: Map<ProjectEnd, Line[]>;
}

/**
 * Writes the blocks of a file again, so that they lead to the file as the projects have it now. Each changed
 * line changes in the block that it comes from, and in all later blocks. New lines go to the block of their
 * neighbours. A word that an author renames is renamed in lines that later blocks remove, too. Without a
 * change, only the headers of diffs change, if they are not right.
 *
 * Throws UnclearChange if a changed line comes from a command, or new lines could be in two blocks.
 *
 * @param path of the file in the project
 * @param committed the file as each project has it now. A project that is missing has no such file
 */
export function followProject(
  history: PagesHistory,
  path: string,
  committed: ReadonlyMap<ProjectEnd, string>,
): FollowedFile {
  const states = history.states.filter((state) => state.path === path);
  const weave = weaveOf(states, history.ends, path);
  const replaced = new Map<string, string>();
  const changed = [...committed].filter(([end, text]) => end.files.get(path) !== text);
  for (const [end, text] of changed) {
    const lines = weave.ends.get(end);
    if (lines) changeLines(weave, lines, text, replaced);
  }
  for (const [end, text] of changed)
    if (textOf(weave.ends.get(end)) !== text)
      throw new UnclearChange(1, "two projects change the same lines: change one of them");
  return { ...blocksOf(states, weave, replaced), ends: endsOf(weave) };
}

function endsOf(weave: Weave): Map<ProjectEnd, string> {
  return new Map([...weave.ends].map(([end, lines]) => [end, textOf(lines) ?? ""]));
}

function weaveOf(states: readonly FileState[], ends: readonly ProjectEnd[], path: string): Weave {
  const weave: Weave = { before: new Map(), after: new Map(), ends: new Map() };
  for (const state of states) {
    const inherited = state.previous ? (weave.after.get(state.previous) ?? []) : [];
    const before = advance(inherited, state.before, undefined);
    weave.before.set(state, before);
    weave.after.set(state, advance(before, state.after, state));
  }
  for (const end of ends) {
    const last = end.last.get(path);
    const text = end.files.get(path);
    if (last && text !== undefined)
      weave.ends.set(end, advance(weave.after.get(last) ?? [], text, undefined));
  }
  return weave;
}

/** Returns the lines of the next text: those that stay are the same objects. */
function advance(lines: readonly Line[], text: string | undefined, by: FileState | undefined): Line[] {
  const next: Line[] = [];
  let at = 0;
  for (const part of diffArrays(
    lines.map((line) => line.text),
    linesOf(text),
  )) {
    if (part.added) next.push(...part.value.map((added) => ({ text: added, by })));
    else {
      if (!part.removed) next.push(...lines.slice(at, at + part.value.length));
      at += part.value.length;
    }
  }
  return next;
}

function linesOf(text: string | undefined): string[] {
  return text ? text.replace(/\n$/, "").split("\n") : [];
}

function textOf(lines: readonly Line[] | undefined): string | undefined {
  return lines?.map(({ text }) => `${text}\n`).join("");
}

function changeLines(
  weave: Weave,
  lines: readonly Line[],
  text: string,
  replaced: Map<string, string>,
): void {
  const old = lines.map((line) => line.text);
  const wanted = linesOf(text);
  const changes: { from: number; removed: Line[]; added: string[]; line: number }[] = [];
  let [at, line] = [0, 1];
  for (const part of diffArrays(old, wanted)) {
    const last = changes.at(-1);
    const open =
      last && last.from + last.removed.length === at && last.line + last.added.length === line
        ? last
        : { from: at, removed: [], added: [], line };
    if ((part.added || part.removed) && open !== last) changes.push(open);
    if (part.added) open.added.push(...part.value);
    if (part.removed) open.removed.push(...lines.slice(at, at + part.value.length));
    if (!part.added) at += part.value.length;
    if (!part.removed) line += part.value.length;
  }
  const renames = renamesOf(changes, old, wanted);
  for (const change of changes) applyChange(weave, lines, change, replaced);
  const all = [...weave.before.values(), ...weave.after.values()].flat();
  for (const other of new Set(all)) {
    if (!other.by || other.by.committed === "file") continue;
    const renamed = other.text.replaceAll(/[\w$]+/g, (word) => renames.get(word) ?? word);
    if (renamed !== other.text) replaced.set(other.text, renamed);
    other.text = renamed;
  }
}

function applyChange(
  weave: Weave,
  lines: readonly Line[],
  {
    from,
    removed,
    added,
    line,
  }: { readonly from: number; readonly removed: Line[]; readonly added: string[]; readonly line: number },
  replaced: Map<string, string>,
): void {
  const fixed = removed.find(({ by }) => !by || by.committed === "file");
  if (fixed)
    throw new UnclearChange(
      line,
      fixed.by
        ? "this line is of an exercise whose solution is another project's file: change that file, too"
        : `a command of the page writes ${JSON.stringify(fixed.text)}: add a \`diff\` that changes it`,
      fixed.by ? [fixed.by] : [],
    );
  const blocks = [...new Set(removed.map(({ by }) => by))];
  if (removed.length > 0 && added.length > 0 && removed.length !== added.length && blocks.length > 1)
    throw unclear(line, blocks);
  const rest = added.slice(removed.length);
  // Before any text changes, because a refusal must not depend on the order of the changes.
  const anchor = rest.length === 0 ? undefined : anchorOf(lines, from, removed, line);
  removed.forEach((one, i) => {
    const text = added[i];
    if (text === undefined) {
      for (const list of listsOf(weave)) if (list.includes(one)) list.splice(list.indexOf(one), 1);
    } else {
      replaced.set(one.text, text);
      one.text = text;
    }
  });
  if (!anchor) return;
  const fresh = rest.map((text) => ({ text, by: anchor.line.by }));
  for (const list of listsOf(weave)) {
    const at = list.indexOf(anchor.line);
    if (at !== -1) list.splice(anchor.above ? at + 1 : at, 0, ...fresh);
  }
}

/** Returns the line beside which new lines go: its block gets them. */
function anchorOf(
  lines: readonly Line[],
  from: number,
  removed: readonly Line[],
  line: number,
): { readonly line: Line; readonly above: boolean } {
  const last = removed.at(-1);
  if (last) return { line: last, above: true };
  const [above, below] = [lines[from - 1], lines[from]];
  const blocks = [above?.by, below?.by].filter((by) => by !== undefined);
  if (blocks.length === 0 || blocks.some(({ committed }) => committed === "file"))
    throw new UnclearChange(line, "no block writes the lines beside this one: add a `diff` for it");
  if (new Set(blocks).size > 1) throw unclear(line, blocks);
  if (above?.by) return { line: above, above: true };
  return { line: below as Line, above: false };
}

function unclear(line: number, blocks: readonly (FileState | undefined)[]): UnclearChange {
  const candidates = blocks.filter((block) => block !== undefined);
  return new UnclearChange(line, "this change could be in several blocks", candidates);
}

function listsOf(weave: Weave): Line[][] {
  return [...weave.before.values(), ...weave.after.values(), ...weave.ends.values()];
}

/** Returns the words that a change renames everywhere in a file, each with its one new name. */
function renamesOf(
  changes: readonly { readonly removed: readonly Line[]; readonly added: readonly string[] }[],
  old: readonly string[],
  wanted: readonly string[],
): Map<string, string> {
  const wordsOf = (text: string): string[] => text.match(/[\w$]+/g) ?? [];
  const [before, after] = [old, wanted].map((all) => new Set(all.flatMap(wordsOf)));
  const found = new Map<string, Set<string>>();
  for (const { removed, added } of changes) {
    if (removed.length !== added.length) continue;
    removed.forEach(({ text }, i) => {
      const [from, to] = [wordsOf(text), wordsOf(added[i] ?? "")];
      if (from.length !== to.length) return;
      from.forEach((word, at) => {
        const name = to[at] ?? "";
        if (word !== name) found.set(word, (found.get(word) ?? new Set()).add(name));
      });
    });
  }
  return new Map(
    [...found].flatMap(([word, names]) => {
      const [name] = names;
      const isName = /^[A-Za-z_$]/.test(word) && name !== undefined && names.size === 1;
      return isName && !after?.has(word) && !before?.has(name) ? [[word, name]] : [];
    }),
  );
}

function blocksOf(
  states: readonly FileState[],
  weave: Weave,
  replaced: ReadonlyMap<string, string>,
): Pick<FollowedFile, "replacements" | "byHand"> {
  const replacements: Replacement[] = [];
  const byHand: FollowedFile["byHand"][number][] = [];
  for (const state of states) {
    const { page, block, committed } = state;
    if (committed) continue;
    const after = textOf(weave.after.get(state)) ?? "";
    const before = state.before === undefined ? undefined : textOf(weave.before.get(state));
    // A block that nothing changes stays byte for byte.
    if (block.kind !== "edit" && after === state.after && before === state.before) continue;
    const former = block.content
      .split("\n")
      .map((line) => renewed(line, block.kind === "edit", replaced))
      .join("\n");
    const content = writes(state) ? contentOf(state, before, after, former) : former;
    const fits = writes(state) || findMismatch(former, after) === undefined;
    if (content === undefined) byHand.push({ path: page.path, line: block.line, message: nothingLeft });
    else if (!fits) {
      const message = "this excerpt is not in the file any more: correct it";
      byHand.push({ path: page.path, line: block.line, message });
    } else if (content !== block.content) replacements.push(replacementOf(state, content));
  }
  return { replacements, byHand };
}

/** Returns a line of a fence with its new text. An excerpt may leave off indentation. */
function renewed(line: string, isEdit: boolean, replaced: ReadonlyMap<string, string>): string {
  if (isEdit) {
    const text = replaced.get(line.slice(1));
    return text === undefined ? line : line[0] + text;
  }
  for (const [old, text] of replaced) {
    if (old.trim() === "" || old.trim() !== line.trim()) continue;
    const left = Math.max(0, old.search(/\S/) - line.search(/\S/));
    return text.slice(Math.min(left, text.search(/\S|$/)));
  }
  return line;
}
