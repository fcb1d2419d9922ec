import { closestMatch } from "leven";
import { parse, YAMLParseError } from "yaml";
import { z } from "zod";
import { PageError } from "./page-error.ts";

/** The providers that a page can run on. */
export const providers = ["embedded", "envtest", "kind", "existing"] as const;

const schema = z.strictObject({
  title: z.string().min(1),
  summary: z.string().optional(),
  /** Time to read and follow the page, for the menu of `pnpm start`. */
  minutes: z.number().int().positive().optional(),
  requires: z.array(z.string()).default([]),
  providers: z.array(z.enum(providers)).min(1).default(["embedded"]),
  /** Images of the page's Pods, as their manifests name them, except those that the page builds. */
  images: z.array(z.string().regex(/^\S+$/, "must be the name of an image: busybox, nginx:1.27")).default([]),
  /** Cluster-scoped objects that the page creates: `namespaces/shop`, `clusterroles/shop-*`. */
  creates: z
    .array(
      z
        .string()
        .regex(/^[a-z]+\/[^\s/]+$/, "must be a resource and a name: namespaces/shop")
        .refine((one) => !/^namespaces\/.*\*/.test(one), "a namespace is named in full"),
    )
    .default([]),
  project: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]*$/, "must be a folder's name")
    .optional(),
  start: z
    .string()
    .regex(/^(nothing|empty|folder|page \d+)$/, 'must be "nothing", "empty", "folder" or "page N"')
    .default("empty"),
  /** Rates per second that operators may reach while the page does nothing. Default: 0 each. */
  rests: z
    .strictObject({
      reconciles: z.number().nonnegative().default(0),
      writes: z.number().nonnegative().default(0),
      requests: z.number().nonnegative().default(0),
    })
    .prefault({}),
  aliases: z.record(z.string(), z.string()).default({}),
});

/** The front matter of a page. See docs/tutorial-format.md. */
export type FrontMatter = z.infer<typeof schema>;

/**
 * Splits a page into front matter and body. `offset` is the number of lines before the body. Throws
 * PageError.
 */
export function splitFrontMatter(
  source: string,
  path: string,
): { frontMatter: FrontMatter; body: string; offset: number } {
  const lines = source.split("\n");
  if (lines[0]?.trimEnd() !== "---") {
    throw new PageError(path, 1, 'a page begins with front matter: "---", at least "title: …", "---"');
  }
  const end = lines.findIndex((line, i) => i > 0 && line.trimEnd() === "---");
  if (end === -1) throw new PageError(path, 1, 'the front matter has no closing "---"');
  const text = lines.slice(1, end).join("\n");
  return {
    frontMatter: parseFrontMatter(text, path),
    body: lines.slice(end + 1).join("\n"),
    offset: end + 1,
  };
}

function parseFrontMatter(text: string, path: string): FrontMatter {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    const line = (error.linePos?.[0].line ?? 1) + 1;
    throw new PageError(path, line, `front matter is not YAML: ${error.message.split("\n")[0]}`);
  }
  const result = schema.safeParse(value ?? {});
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const key = issue?.code === "unrecognized_keys" ? issue.keys[0] : issue?.path[0];
  const at = text.split("\n").findIndex((line) => line.startsWith(`${String(key)}:`));
  const known = Object.keys(schema.shape);
  const near = closestMatch(String(key), known, { maxDistance: 2 });
  throw new PageError(
    path,
    at === -1 ? 1 : at + 2,
    issue?.code === "unrecognized_keys"
      ? `front matter has no field "${String(key)}"; ${near ? `did you mean "${near}"?` : `there are ${known.join(", ")}`}`
      : `front matter, ${String(key ?? "")}: ${issue?.message}`,
  );
}
