import type { WorkbenchView } from "../protocol.ts";

/** A file or a comparison in a tab of the editor. */
export type EditorTab =
  | { readonly kind: "file"; readonly path: string }
  /** A file of a package, by the server's number. */
  | { readonly kind: "library"; readonly path: string; readonly id: string }
  | { readonly kind: "compare"; readonly path: string; readonly id: string; readonly hash: string };

export interface OpenTabs {
  /** Key of the shown tab: `terminal:main`, or `editor`. */
  readonly tab: string;
  readonly tabs: readonly EditorTab[];
  readonly openTab: EditorTab | undefined;
}

/** What the next window shows, too. */
interface Remembered {
  readonly tab: string;
  readonly paths: readonly string[];
  readonly open: string | undefined;
}

/** Tabs beyond this number are harder to find than the file in the list. */
const mostTabs = 6;

/**
 * Returns the tabs with another one, last. One for the same file is replaced. If there are too many, the oldest one
 * without unsaved text goes.
 */
export function withTab(
  tabs: readonly EditorTab[],
  tab: EditorTab,
  isUnsaved: (path: string) => boolean,
): readonly EditorTab[] {
  const known = tabs.findIndex((one) => one.kind === tab.kind && one.path === tab.path);
  if (known !== -1) return tabs.with(known, tab);
  const isClean = ({ kind, path }: EditorTab): boolean => kind !== "file" || !isUnsaved(path);
  const oldest = tabs.length < mostTabs ? -1 : tabs.findIndex(isClean);
  return [...(oldest === -1 ? tabs : tabs.toSpliced(oldest, 1)), tab];
}

/** Remembers the open files and the shown tab. */
export function writeOpenTabs(view: WorkbenchView, { tab, tabs, openTab }: OpenTabs): void {
  const paths = tabs.flatMap((one) => (one.kind === "file" ? [one.path] : []));
  const remembered: Remembered = { tab, paths, open: openTab?.path };
  localStorage.setItem(keyOf(view), JSON.stringify(remembered));
}

/** Returns the tabs to begin with: those that were open last, and each file with an unsaved text. */
export function readOpenTabs(view: WorkbenchView): OpenTabs {
  const { tab, paths, open } = readRemembered(view);
  const tabs = [...new Set([...paths, ...view.drafts])].map((path) => ({ kind: "file" as const, path }));
  const isThere = tab === "editor" || view.terminals.some((name) => tab === `terminal:${name}`);
  return {
    tab: isThere ? tab : "terminal:main",
    tabs,
    openTab: tabs.find(({ path }) => path === open) ?? tabs.at(-1),
  };
}

function readRemembered(view: WorkbenchView): Remembered {
  const text = localStorage.getItem(keyOf(view));
  // Only `writeOpenTabs` writes it.
  return text === null ? { tab: "", paths: [], open: undefined } : (JSON.parse(text) as Remembered);
}

function keyOf({ page }: WorkbenchView): string {
  return `tabs:${page.name}`;
}
