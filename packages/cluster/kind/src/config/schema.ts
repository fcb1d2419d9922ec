import { closestMatch } from "leven";
import { z } from "zod";

/** A scalar that kind reads as a string, quoted or not. */
const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const port = z.int().min(-1).max(65_535);
/** kind accepts these in any case. */
const oneOf = <const T extends string>(...values: T[]) =>
  z.preprocess(
    (value) => values.find((each) => each.toLowerCase() === String(value).toLowerCase()) ?? value,
    z.enum(values),
  );

const patch6902 = z.strictObject({
  group: z.string(),
  version: z.string(),
  kind: z.string(),
  patch: z.string(),
});

const mount = z.strictObject({
  containerPath: z.string().optional(),
  /** Relative to the folder that kind runs in. */
  hostPath: z.string().optional(),
  readOnly: z.boolean().optional(),
  selinuxRelabel: z.boolean().optional(),
  propagation: oneOf("None", "HostToContainer", "Bidirectional").optional(),
});

const portMapping = z.strictObject({
  containerPort: port.optional(),
  /** 0 and -1 mean any free port. */
  hostPort: port.optional(),
  listenAddress: z.union([z.ipv4(), z.ipv6()]).optional(),
  protocol: oneOf("TCP", "UDP", "SCTP").optional(),
});

const node = z.strictObject({
  role: z.enum(["control-plane", "worker"]).default("control-plane"),
  image: z.string().min(1).optional(),
  labels: z.record(z.string(), text).optional(),
  extraMounts: z.array(mount).optional(),
  extraPortMappings: z.array(portMapping).optional(),
  kubeadmConfigPatches: z.array(z.string()).optional(),
  kubeadmConfigPatchesJSON6902: z.array(patch6902).optional(),
});

const networking = z.strictObject({
  ipFamily: z.enum(["ipv4", "ipv6", "dual"]).optional(),
  apiServerPort: port.optional(),
  apiServerAddress: z.union([z.ipv4(), z.ipv6()]).optional(),
  /** One CIDR, or two with a comma on a dual-stack cluster. */
  podSubnet: z.string().optional(),
  serviceSubnet: z.string().optional(),
  disableDefaultCNI: z.boolean().optional(),
  kubeProxyMode: z.enum(["iptables", "ipvs", "nftables", "none"]).optional(),
  dnsSearch: z.array(z.string()).optional(),
});

/**
 * The complete v1alpha4 of kind, see https://kind.sigs.k8s.io/docs/user/configuration/ and
 * `pkg/apis/config/v1alpha4`.
 */
export const clusterSchema = z.strictObject({
  kind: z.literal("Cluster"),
  apiVersion: z.literal("kind.x-k8s.io/v1alpha4"),
  /** At most 50 characters, because `-control-plane` is appended, and host names have at most 64. */
  name: z
    .string()
    .max(50, "must have at most 50 characters")
    .regex(/^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/, "must consist of lower-case letters, digits, dots and dashes")
    .optional(),
  nodes: z.array(node).min(1).optional(),
  networking: networking.optional(),
  featureGates: z.record(z.string(), z.boolean()).optional(),
  runtimeConfig: z.record(z.string(), text).optional(),
  kubeadmConfigPatches: z.array(z.string()).optional(),
  kubeadmConfigPatchesJSON6902: z.array(patch6902).optional(),
  containerdConfigPatches: z.array(z.string()).optional(),
  containerdConfigPatchesJSON6902: z.array(z.string()).optional(),
});

/** A configuration as a program or a user writes it. */
export type KindClusterConfig = z.input<typeof clusterSchema>;
/** The same after validation: each node has its role. */
export type ReadKindConfig = z.output<typeof clusterSchema>;
export type KindNode = z.input<typeof node>;

/** An invalid field, and why. */
interface ConfigProblem {
  readonly path: readonly PropertyKey[];
  readonly words: string;
}

/** Validates a configuration. Returns it with its defaults, or the first problem. */
export function checkConfig(value: unknown): { config: ReadKindConfig } | { problem: ConfigProblem } {
  const result = clusterSchema.safeParse(value);
  if (result.success) {
    const { nodes } = result.data;
    if (nodes && !nodes.some(({ role }) => role === "control-plane")) {
      return { problem: { path: ["nodes"], words: "at least one must have the role control-plane" } };
    }
    return { config: result.data };
  }
  const [issue] = result.error.issues;
  if (issue === undefined) return { problem: { path: [], words: "it is not valid" } };
  if (issue.code !== "unrecognized_keys") return { problem: { path: issue.path, words: wordsOf(issue) } };
  const [key = ""] = issue.keys;
  const meant = nearest(key, fieldsAt(issue.path));
  const hint =
    meant === undefined ? `expected one of ${fieldsAt(issue.path).join(", ")}` : `did you mean ${meant}?`;
  return { problem: { path: [...issue.path, key], words: `there is no such field: ${hint}` } };
}

/** If no form of a union fits, zod reports the innermost one with its place. The rest is its own text. */
function wordsOf(issue: z.core.$ZodIssue): string {
  return issue.code === "invalid_union" ? "does not have the required form" : issue.message;
}

/** Returns the field names of the object at a path of the schema. */
function fieldsAt(path: readonly PropertyKey[]): string[] {
  let schema: unknown = clusterSchema;
  for (const part of path) {
    schema = unwrap(schema);
    if (schema instanceof z.ZodArray) schema = schema.element;
    else if (schema instanceof z.ZodObject) schema = schema.shape[String(part)];
  }
  schema = unwrap(schema);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? unwrap(schema.unwrap()) : schema;
}

/** Returns the known name that was probably meant, or undefined if none is similar. */
function nearest(unknown: string, known: readonly string[]): string | undefined {
  const longer = known.find((name) => name.toLowerCase().startsWith(unknown.toLowerCase()));
  if (longer !== undefined) return longer;
  return closestMatch(unknown, known, { maxDistance: Math.max(2, Math.floor(unknown.length / 3)) });
}
