import type { Named } from "../../server/table/printer.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";
import { joinOr, NONE } from "../printing.ts";

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

export const nodePrinter = definePrinter<Node>((node, context) => {
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
  // The last of its type counts, should there be two.
  const ready = status?.conditions?.findLast(({ type }) => type === "Ready");
  const state = ready === undefined ? "Unknown" : ready.status === "True" ? "Ready" : "NotReady";
  return spec?.unschedulable === true ? `${state},SchedulingDisabled` : state;
}

/** From labels `node-role.kubernetes.io/<role>` and `kubernetes.io/role=<role>`, sorted. */
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
