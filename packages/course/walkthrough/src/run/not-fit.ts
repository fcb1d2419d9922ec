import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Cluster } from "@operator-path/cluster";
import type { Page } from "../page/page.ts";
import { imageFolder } from "./bring-images.ts";

/** Why a page cannot be run on a cluster that somebody has, in words; undefined when it can. */
export function notFit(page: Page, cluster: Cluster | undefined): string | undefined {
  if (cluster?.namespace === undefined) return undefined;
  if (!page.frontMatter.providers.includes("existing"))
    return "the page does not say that it can be run on an existing cluster (providers, creates)";
  const named = page.steps
    .flatMap(({ blocks }) => blocks)
    .find((block) => block.kind !== "console" && /^\s*[+ ]?\s*namespace: default\s*$/m.test(block.content));
  if (named) return `line ${named.line}: a file names the namespace default, and here the page has another`;
  const image = ownImage(page);
  if (image !== undefined && cluster.images === undefined)
    return `it needs ${image}, and nothing brings images from this machine into that cluster`;
  return undefined;
}

/** What the page needs that no registry has. */
function ownImage(page: Page): string | undefined {
  const tutorial = dirname(resolve(page.path));
  const image = page.frontMatter.images.find((one) => existsSync(`${imageFolder(tutorial, one)}/Dockerfile`));
  if (image !== undefined) return `the image ${image}`;
  const builds = page.steps
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.kind === "console" ? block.entries : []))
    .find(({ kind, text }) => kind === "command" && /\bdocker-(?:build|push)\b/.test(text));
  return builds && `the image that \`${builds.text.split("\n")[0]}\` makes`;
}
