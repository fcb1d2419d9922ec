import { isIP } from "node:net";
import type { StatusCause } from "../../apimachinery/errors.ts";
import { duplicate, forbidden, invalid, notSupported } from "../../apimachinery/validation/cause.ts";
import { isLabelValue, isQualifiedName } from "../../lib/formats/names.ts";
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";
import { object, objects, text, texts } from "../../lib/json/read.ts";
import { fieldWithZero } from "../../server/registry/selectable-fields.ts";
import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { joinOr, NONE } from "../printing.ts";
import { ensureObject, setDefault } from "../set-default.ts";
import { quantities, validateQuantity } from "./pod/validation/resources.ts";
import { taintEffects } from "./pod/validation/toleration.ts";

/** Validates a core/v1 Node. */
function validateNode(node: ApiObject, old?: ApiObject): StatusCause[] {
  const spec = object(node.spec);
  const causes = validateTaints(spec.taints);
  const ranges = texts(spec.podCIDRs);
  (ranges.length > 0 || !spec.podCIDR ? ranges : [text(spec.podCIDR)]).forEach((cidr, index) => {
    if (!isCidr(cidr)) {
      const detail = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
      causes.push(invalid(`spec.podCIDRs[${index}]`, cidr, detail));
    }
  });
  const before = object(old?.spec);
  for (const [key, detail] of [
    ["providerID", 'node updates may not change providerID except from "" to valid'],
    ["podCIDR", 'node updates may not change podCIDR except from "" to valid'],
  ] as const) {
    if (before[key] && spec[key] !== before[key]) {
      causes.push(
        key === "providerID" ? forbidden(`spec.${key}`, detail) : forbidden("spec.podCIDRs", detail),
      );
    }
  }
  return [...causes, ...validateNodeStatus(node)];
}

/** Validates the quantities in a core/v1 NodeStatus (ValidateNodeResources). */
function validateNodeStatus(node: ApiObject): StatusCause[] {
  const status = object(node.status);
  return ["capacity", "allocatable"].flatMap((list) =>
    [...quantities(status[list])].flatMap(([name, { quantity, shown }]) =>
      validateQuantity(name, quantity, shown, `status.${list}.${name}`),
    ),
  );
}

function isCidr(cidr: string): boolean {
  const [address = "", bits = ""] = cidr.split("/");
  return isIP(address) !== 0 && /^\d+$/.test(bits) && Number(bits) <= (isIP(address) === 4 ? 32 : 128);
}

/** Validates the taints. A real server also reports them under `metadata`, where they once were. */
function validateTaints(taints: JsonValue | undefined): StatusCause[] {
  const seen = new Set<string>();
  return objects(taints).flatMap((taint, index) => {
    const inner = `metadata.taints[${index}]`;
    const key = text(taint.key);
    const value = text(taint.value);
    const effect = text(taint.effect);
    const causes = [
      ...isQualifiedName(key).map((error) => invalid(`${inner}.key`, key, error)),
      ...isLabelValue(value).map((error) => invalid(`${inner}.value`, value, error)),
    ];
    if (!taintEffects.includes(effect)) causes.push(notSupported(`${inner}.effect`, effect, taintEffects));
    const identity = `${key}:${effect}`;
    if (seen.has(identity)) causes.push(repeatedTaint(inner, taint));
    seen.add(identity);
    return causes;
  });
}

function repeatedTaint(path: string, taint: JsonObject): StatusCause {
  const { key = "", value = "", effect = "", timeAdded = null } = taint;
  const cause = duplicate(path, { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded });
  return { ...cause, message: `${cause.message}: taints must be unique by key and effect pair` };
}

interface Node extends Named {
  spec?: { unschedulable?: boolean };
  status?: {
    conditions?: { type: string; status: string }[];
    addresses?: { type: string; address: string }[];
    nodeInfo?: {
      kubeletVersion?: string;
      osImage?: string;
      kernelVersion?: string;
      containerRuntimeVersion?: string;
      architecture?: string;
    };
  };
}

const UNKNOWN = "<unknown>";
const ROLE_PREFIX = "node-role.kubernetes.io/";

const nodePrinter = definePrinter<Node>((node, context) => {
  const info = node.status?.nodeInfo;
  const architecture = info?.architecture ? ` (${info.architecture})` : "";
  return [
    nameOf(node),
    nodeStatus(node),
    joinOr(nodeRoles(node), NONE),
    ageOf(node, context),
    info?.kubeletVersion ?? "",
    addressOf(node, "InternalIP"),
    addressOf(node, "ExternalIP"),
    info?.osImage || UNKNOWN,
    `${info?.kernelVersion || UNKNOWN}${architecture}`,
    info?.containerRuntimeVersion || UNKNOWN,
  ];
});

function nodeStatus({ spec, status }: Node): string {
  // If there are two conditions of this type, the last one counts.
  const ready = status?.conditions?.findLast(({ type }) => type === "Ready");
  const state = ready === undefined ? "Unknown" : ready.status === "True" ? "Ready" : "NotReady";
  return spec?.unschedulable === true ? `${state},SchedulingDisabled` : state;
}

/**
 * Returns the roles in the labels `node-role.kubernetes.io/<role>` and `kubernetes.io/role=<role>`, sorted.
 */
function nodeRoles({ metadata }: Node): string[] {
  const roles = Object.entries(metadata.labels ?? {}).map(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX)) return key.slice(ROLE_PREFIX.length);
    return key === "kubernetes.io/role" ? value : "";
  });
  return [...new Set(roles.filter((role) => role !== ""))].sort();
}

function addressOf({ status }: Node, kind: string): string {
  return status?.addresses?.find(({ type }) => type === kind)?.address ?? NONE;
}

/** core/v1 Node. */
export const nodeKind: BuiltInKind = {
  strategy: { keepsStatusOnCreate: true },
  setDefaults(object) {
    const status = ensureObject(object, "status");
    if (isJsonObject(status.capacity)) setDefault(status, "allocatable", { ...status.capacity });
  },
  validate: validateNode,
  validateSubresource: { status: validateNodeStatus },
  printer: nodePrinter,
  fieldLabels: new Map([fieldWithZero("spec.unschedulable", "false")]),
};
