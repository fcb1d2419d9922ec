import { ChartError } from "./chart.ts";

/**
 * Returns whether a chart ignores a file or folder. The name is relative to the chart's folder, with slashes.
 */
export type IgnoreRules = (name: string, isFolder: boolean) => boolean;

/**
 * Parses the rules of a .helmignore as helm applies them (its package `ignore`). The first rule that matches
 * decides. A pattern without a slash is compared with the last part of the name only. After `!`, whatever
 * does *not* match is ignored. Hidden files in templates/ are always ignored.
 *
 * @param file for messages
 * @throws ChartError for a pattern that helm rejects
 */
export function parseIgnoreRules(text: string, file: string): IgnoreRules {
  const rules = [...text.replace(/^\uFEFF/, "").split(/\r?\n/), "templates/.?*"].flatMap((line, i) => {
    const rule = line.trim();
    return rule === "" || rule.startsWith("#") ? [] : [parseRule(rule, `${file}:${i + 1}`)];
  });
  return (name, isFolder) => {
    for (const { negated, folders, matches } of rules) {
      if (negated) {
        if ((folders && !isFolder) || !matches(name)) return true;
      } else if ((!folders || isFolder) && matches(name)) return true;
    }
    return false;
  };
}

interface Rule {
  readonly negated: boolean;
  /** It applies to folders only. */
  readonly folders: boolean;
  readonly matches: (name: string) => boolean;
}

function parseRule(rule: string, place: string): Rule {
  if (rule.includes("**")) throw new ChartError(`${place}: helm does not know **: write a * for each folder`);
  const negated = rule.startsWith("!");
  const folders = rule.endsWith("/");
  const pattern = rule.slice(negated ? 1 : 0, folders ? -1 : undefined);
  const form = toRegExp(pattern.replace(/^\//, ""), place);
  const matches = pattern.includes("/")
    ? (name: string) => form.test(name)
    : (name: string) => form.test(name.slice(name.lastIndexOf("/") + 1));
  return { negated, folders, matches };
}

/** Go's filepath.Match: `*` and `?` do not match a slash. */
function toRegExp(pattern: string, place: string): RegExp {
  const parts = pattern.match(/\[\^?(?:\\.|[^\]\\])+\]|\\.|[^[\\]/gsu) ?? [];
  if (parts.join("") !== pattern)
    throw new ChartError(`${place}: ${pattern} is not a valid pattern: is a bracket unclosed?`);
  const source = parts.map((part) => {
    if (part === "*") return "[^/]*";
    if (part === "?") return "[^/]";
    if (part.startsWith("["))
      return part.replace(/[[&|~]/g, (character, i) => (i === 0 ? character : `\\${character}`));
    return (part.length > 1 && part.startsWith("\\") ? part.slice(1) : part).replace(
      /[$()*+.?[\\\]^{|}/]/g,
      "\\$&",
    );
  });
  try {
    return new RegExp(`^${source.join("")}$`, "su");
  } catch {
    throw new ChartError(`${place}: ${pattern} is not a valid pattern`);
  }
}
