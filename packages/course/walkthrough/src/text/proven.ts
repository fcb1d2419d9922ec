import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { isMap, isScalar, isSeq, parseAllDocuments } from "yaml";
import { blocksOf, type Page } from "../page/page.ts";
import { parsePage } from "../page/parse.ts";

/** Returns the source of a page's blocks: commands, outputs and files, with the link above a file. */
export function provenText(page: Page): string {
  const lines = page.source.split("\n");
  return blocksOf(page)
    .map((block) => {
      const content = withoutComments(lines.slice(block.line, block.endLine - 1).join("\n"));
      return block.kind === "console" ? content : `${block.file}\n${content}`;
    })
    .join("\n\n");
}

/** The content of the files of one tutorial that are compiled, run, or read by a test. */
export interface TutorialFiles {
  /** Paths below the tutorial's folder, and all their parent folders, one per line. */
  readonly paths: string;
  /** All their contents. */
  readonly contents: string;
  /**
   * The values of YAML and JSON files with their paths (`spec.securityContext.runAsUser: 1000`), and the
   * targets and variables of Makefiles (`make deploy`, `make IMG=`).
   */
  readonly fields: string;
}

/**
 * Reads a tutorial's folder, without its pages, their claims, alternatives of exercises, and built or
 * installed files.
 */
export function readTutorial(folder: string): TutorialFiles {
  const files = listFiles(folder).filter((file) => !/\.md$|^claims\/|^tests\/exercises\//.test(file));
  const contents = files.map((file) => withoutComments(readFileSync(join(folder, file), "utf8")));
  const fields = files.flatMap((file, i) =>
    /\.(?:ya?ml|json)$/.test(file) ? fieldsOf(contents[i] ?? "") : [],
  );
  const targets = files.flatMap((file, i) =>
    /(?:^|\/)Makefile$/.test(file) ? makeCommands(contents[i] ?? "") : [],
  );
  const folders = new Set(files.flatMap((file) => parentsOf(file)));
  return {
    paths: [...files, ...folders].join("\n"),
    contents: contents.join("\n"),
    fields: [...fields, ...targets].join("\n"),
  };
}

/** Reads the other pages of the tutorial of `page`. */
export function otherPages(page: Page): Page[] {
  const folder = dirname(resolve(page.path));
  return readdirSync(folder)
    .filter((file) => /^\d+-.*\.md$/.test(file) && file !== basename(page.path))
    .map((file) => parsePage(readFileSync(join(folder, file), "utf8"), join(folder, file)));
}

const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)(?:\/\/|#) (?!\+).*$/gm;

/**
 * Removes the comments of code, which are prose and prove nothing. Keeps markers (`// +kubebuilder:…`) and
 * line breaks.
 */
export function withoutComments(code: string): string {
  return code.replaceAll(comment, (text) =>
    text.replaceAll(/[^\n]+/g, (line) => (isMarker(line) ? line : "")),
  );
}

/**
 * Returns the comments of code, without delimiters and markers. Each has the line where it begins, from 0,
 * and the line of code that it is about: its own, or the next one.
 */
export function commentsIn(code: string): { text: string; line: number; about: string }[] {
  const bare = withoutComments(code).split("\n");
  return [...code.matchAll(comment)].map((match) => {
    const line = code.slice(0, match.index).split("\n").length - 1;
    return {
      text: match[0].replaceAll(/^.*$/gm, (text) =>
        isMarker(text) ? "" : text.replace(/^\s*(?:\/\*+|\*(?!\/)|\/\/|#)|\*+\/$/g, ""),
      ),
      line,
      about:
        bare
          .slice(line)
          .find((text) => text.trim() !== "")
          ?.trim() ?? "",
    };
  });
}

/** Reports whether controller-gen reads this line of a comment. */
function isMarker(line: string): boolean {
  return /^[\s*]*\+\w/.test(line);
}

const ignored = new Set(["node_modules", "dist", ".git", ".turbo"]);

/**
 * Returns the files below a folder, relative to it, with forward slashes. Leaves out installed and built
 * files.
 */
export function listFiles(folder: string, wanted: (path: string) => boolean = () => true): string[] {
  const found: string[] = [];
  const visit = (at: string): void => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory() && !ignored.has(entry.name)) visit(path);
      const name = relative(folder, path).split("\\").join("/");
      if (entry.isFile() && wanted(name)) found.push(name);
    }
  };
  visit(folder);
  return found.sort();
}

function makeCommands(makefile: string): string[] {
  const targets = [...makefile.matchAll(/^([a-z][\w-]*):/gm)].map(([, target]) => `make ${target}`);
  return [...targets, ...[...makefile.matchAll(/^([A-Z]\w*) \?=/gm)].map(([, name]) => `make ${name}=`)];
}

function parentsOf(file: string): string[] {
  const parts = file.split("/").slice(0, -1);
  return parts.flatMap((_, i) => [`${parts.slice(0, i + 1).join("/")}/`, parts.slice(0, i + 1).join("/")]);
}

/** Returns `a.b.c: value` for each value of a YAML file. An entry of a list has the path of the list. */
function fieldsOf(source: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown, path: string): void => {
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        const name = isScalar(key) ? String(key.value) : "";
        visit(value, path === "" ? name : `${path}.${name}`);
      }
    } else if (isSeq(node)) for (const item of node.items) visit(item, path);
    else if (isScalar(node)) found.push(`${path}: ${String(node.value)}`);
  };
  // A Helm template is not YAML.
  if (source.includes("{{")) return [];
  for (const document of parseAllDocuments(source)) {
    if ("contents" in document && document.errors.length === 0) visit(document.contents, "");
  }
  return found;
}
