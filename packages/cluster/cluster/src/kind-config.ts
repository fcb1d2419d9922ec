import { readFile } from "node:fs/promises";
import { isNode, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import type { NodePlan } from "./node-plan.ts";
import { UserError } from "./user-error.ts";

/**
 * The part of kind's configuration (https://kind.sigs.k8s.io/docs/user/configuration/) that a simulated cluster can
 * follow. Other fields are kind's own business: the same file serves `kind create cluster`.
 */
const schema = z.looseObject({
  kind: z.literal("Cluster"),
  apiVersion: z.literal("kind.x-k8s.io/v1alpha4"),
  name: z
    .string()
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, "must be lower-case letters, digits and dashes")
    .optional(),
  nodes: z
    .array(
      z.looseObject({
        role: z.enum(["control-plane", "worker"]).default("control-plane"),
        labels: z.record(z.string(), z.string()).optional(),
      }),
    )
    .nonempty()
    .optional(),
});

/** What a kind-cluster.yaml asks for. */
export interface KindConfig {
  readonly name?: string;
  /** Absent when the file leaves it to kind: then there is one control-plane node. */
  readonly nodes?: readonly Omit<NodePlan, "name">[];
}

/** Reads a kind-cluster.yaml. Throws UserError naming the file, the line and the field. */
export async function readKindConfig(path: string): Promise<KindConfig> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new UserError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? error}`);
  }
  return parseKindConfig(text, path);
}

/** The same for text that is already there; `path` is for messages. */
export function parseKindConfig(text: string, path: string): KindConfig {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const broken = document.errors[0];
  if (broken)
    throw new UserError(`${path}:${lines.linePos(broken.pos[0]).line}: ${firstLine(broken.message)}`);
  const result = schema.safeParse(document.toJS());
  if (!result.success) {
    const issue = result.error.issues[0];
    const field = issue?.path ?? [];
    const node = document.getIn(nearest(document, field), true);
    const line = isNode(node) && node.range ? lines.linePos(node.range[0]).line : 1;
    throw new UserError(`${path}:${line}: ${words(field)}: ${issue?.message}`);
  }
  const { name, nodes } = result.data;
  if (nodes && !nodes.some(({ role }) => role === "control-plane")) {
    throw new UserError(`${path}: nodes: at least one must have the role control-plane`);
  }
  return {
    ...(name !== undefined && { name }),
    ...(nodes && { nodes: nodes.map(({ role, labels }) => ({ role, ...(labels && { labels }) })) }),
  };
}

/** The field itself, or the closest one around it that is in the file. */
function nearest(document: ReturnType<typeof parseDocument>, path: readonly PropertyKey[]): PropertyKey[] {
  for (let length = path.length; length > 0; length--) {
    if (document.hasIn(path.slice(0, length))) return path.slice(0, length);
  }
  return [];
}

function words(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  return text.replace(/^\./, "") || "the document";
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? text;
}
