import type { Entry, Page } from "../page/page.ts";
import { isReadOnly } from "../terminal/read-only.ts";

/** A quoted or plain value without a substitution, or one substitution. */
const assignment =
  /^(?:export )?([A-Za-z_]\w*)=((?:[^\s"'`$;&|<>()\\]|'[^']*'|\$\w+|\$\{\w+\}|"(?:[^"`$\\]|\$\w+|\$\{\w+\})*")*|("?)\$\((.*)\)\3)$/s;

/**
 * Returns the page's assignments that give a command its shell variables, in the order of the page. The shell
 * of another process does not have them. Undefined if a variable is not known: the page does not set it, or
 * with a command that may change something.
 *
 * @param env variables that are known without the page
 */
export function assignmentsFor(
  page: Page,
  { text, line }: Entry,
  env: Readonly<Record<string, string | undefined>>,
): readonly Entry[] | undefined {
  const entries = page.steps
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.kind === "console" ? block.entries : []))
    .filter((entry) => entry.kind === "command" && entry.line < line);
  const needed = new Set<Entry>();
  for (const name of variablesIn(text)) {
    const entry = entries.findLast((one) => assignment.exec(one.text)?.[1] === name);
    if (!entry && env[name]) continue;
    const command = entry && assignment.exec(entry.text)?.[4];
    if (!entry || (command !== undefined && !isReadOnly(command))) return undefined;
    const before = assignmentsFor(page, entry, env);
    if (!before) return undefined;
    for (const one of [...before, entry]) needed.add(one);
  }
  return [...needed].sort((a, b) => a.line - b.line);
}

/** Returns the names of the variables that a shell replaces in a command. */
function variablesIn(command: string): string[] {
  const replaced = command.replaceAll(/("(?:[^"\\]|\\.)*"|\\.)|'[^']*'/gs, "$1");
  return [...replaced.matchAll(/(?<!\\)\$\{?([A-Za-z_]\w*)/g)].map(([, name = ""]) => name);
}
