import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import { acceptTexts, parsePage } from "@operator-path/walkthrough";
import { closestMatch } from "leven";

/**
 * Writes a minimal page that passes `pnpm verify`, and its claims file. The page gets the next number of the
 * tutorial. Returns the absolute paths of both files.
 *
 * @param tutorial name of an existing folder of `tutorials`, or its number
 * @param name the title, or the file's name: `A ConfigMap`, `a-configmap`, `3-a-configmap`
 * @throws UserError for an unknown tutorial, a name without letters, and a number or name that a page has
 */
export async function newPage(tutorial: string, name: string, root: string): Promise<string[]> {
  const folder = await folderOf(tutorial, root);
  const [, wanted, words = ""] = /^(?:(\d+)-)?(.*?)(?:\.md)?$/.exec(name.trim()) ?? [];
  const slug = words
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  if (!/[a-z]/.test(slug))
    throw new UserError(
      `${JSON.stringify(name)} is not a valid page name: give a title, such as "A ConfigMap"`,
    );
  const pages = (await readdir(folder)).flatMap((file) => {
    const [, number, rest] = /^(\d+)-(.*)\.md$/.exec(file) ?? [];
    return number === undefined ? [] : [{ file, number: Number(number), rest }];
  });
  const number = wanted === undefined ? Math.max(0, ...pages.map((page) => page.number)) + 1 : Number(wanted);
  const taken = pages.find((page) => page.number === number || page.rest === slug);
  if (taken)
    throw new UserError(
      `${basename(folder)} already has the page ${taken.file}: choose another number or name`,
    );
  const path = join(folder, `${number}-${slug}.md`);
  const claims = join(folder, "claims", `${number}-${slug}.yaml`);
  if (existsSync(claims)) throw new UserError(`${claims} exists, but belongs to no page: remove it`);
  const title = words === slug ? words.charAt(0).toUpperCase() + words.slice(1).replaceAll("-", " ") : words;
  const source = pageOf(title, slug);
  await mkdir(join(folder, "claims"), { recursive: true });
  await writeFile(path, source, { flag: "wx" });
  await writeFile(claims, "claims: []\n", { flag: "wx" });
  acceptTexts(parsePage(source, path));
  return [path, claims];
}

async function folderOf(tutorial: string, root: string): Promise<string> {
  const all = (await readdir(join(root, "tutorials"), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  const name = basename(tutorial);
  const found = all.find(
    (one) => one === name || (/^\d+$/.test(name) && Number.parseInt(one, 10) === Number(name)),
  );
  if (found !== undefined) return join(root, "tutorials", found);
  const near = closestMatch(name, all) ?? "";
  throw new UserError(
    `there is no tutorial ${name}: did you mean ${near}? To start a new tutorial, create its folder`,
  );
}

function pageOf(title: string, slug: string): string {
  const fence = "```";
  return `---
title: ${/[:#]/.test(title) ? JSON.stringify(title) : title}
summary: Say in a sentence what the reader will have at the end.
requires: [kubectl]
---

# ${title}

Say what the reader will be able to do, and what they need.

## Create it

Say what happens, and why.

${fence}console
$ kubectl create configmap ${slug} --from-literal=text=hello
configmap/${slug} created
${fence}

## Clean up

${fence}console
$ kubectl delete configmap ${slug}
configmap "${slug}" deleted from default namespace
${fence}
`;
}
