import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import mustache from "mustache";

const folder = join(import.meta.dirname, "../../templates");
const ending = ".mustache";

/** What templates are told: text, and whether a section is there. */
export type View = Readonly<Record<string, string | boolean | readonly string[]>>;

/**
 * The files of a set of templates (a folder of `templates/`), filled in. A path may hold variables, too: `{kind}.ts`.
 *
 * @throws Error for a variable that nobody has given: a mistake of ours
 */
export function renderSet(set: string, view: View): { path: string; text: string }[] {
  return readdirSync(join(folder, set), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({
      path: file
        .slice(join(folder, set).length + 1, -ending.length)
        .replaceAll("\\", "/")
        .replace(/\{(\w+)\}/g, (_, name: string) => String(lookUp(view, name, file))),
      text: render(readFileSync(file, "utf8"), view, file),
    }));
}

function render(template: string, view: View, file: string): string {
  checkNames(mustache.parse(template), view, file);
  return mustache.render(template, view, undefined, { escape: (text: string) => text });
}

/** Mustache passes over what it does not know. */
function checkNames(tokens: unknown, view: View, file: string): void {
  for (const [type, name, , , nested] of tokens as [string, string, number, number, unknown][]) {
    if (type === "text" || type === "!" || name === ".") continue;
    lookUp(view, name, file);
    if (Array.isArray(nested)) checkNames(nested, view, file);
  }
}

function lookUp(view: View, name: string, file: string) {
  if (!Object.hasOwn(view, name)) throw new Error(`${file} asks for ${name}, which nobody has given`);
  return view[name];
}
