import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { KubeObject } from "@operator-path/client";
import { parse } from "yaml";
import { z } from "zod";
import { UserError } from "../user-error.ts";

const named = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});
/** An object in a namespace of the checklist. */
const owned = named.extend({
  metadata: z.looseObject({
    name: z.string(),
    namespace: z
      .undefined({ error: "leave the namespace out: the checklist uses namespaces of its own" })
      .optional(),
  }),
});
const fields = z.record(z.string(), z.unknown());

const capstoneSchema = z.strictObject({
  /** Generates the manifests, in a shell. */
  generate: z.string().default("make generate manifests"),
  /** Starts the operator, in a shell that replaces itself by it. */
  run: z.string().default("node src/main.ts"),
  /** An object of the operator's kind. */
  sample: named,
  /** Merge patches. With each of them, the server must reject the sample. */
  rejects: z.array(fields).min(1),
  /** For the sample, these objects must exist, with at least these fields. */
  owns: z.array(owned).min(1),
  /** A merge patch of the sample, and the objects that it leads to. */
  change: z.strictObject({ patch: fields, owns: z.array(owned).min(1) }),
});

/** What an operator promises, as written in its capstone.yaml. */
export type Capstone = z.infer<typeof capstoneSchema>;

/** An object of any kind. */
export type AnyObject = KubeObject & { [field: string]: unknown };

/**
 * Reads `capstone.yaml` in a project's folder.
 *
 * @throws UserError with the file and the field, if the file is missing or invalid
 */
export async function readCapstone(folder: string): Promise<Capstone> {
  const file = join(folder, "capstone.yaml");
  const text = await readFile(file, "utf8").catch(() => {
    throw new UserError(`${file} does not exist: describe your operator in it, or change to its folder`);
  });
  const parsed = capstoneSchema.safeParse(parseYaml(file, text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UserError(`${file}: ${issue?.path.join(".") || "the file"}: ${issue?.message}`);
}

function parseYaml(file: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new UserError(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}
