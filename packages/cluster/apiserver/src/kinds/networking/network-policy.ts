import type { StatusCause } from "../../apimachinery/errors.ts";
import { forbidden, invalid, notSupported, required } from "../../apimachinery/validation/cause.ts";
import { validateLabelSelector } from "../../apimachinery/validation/label-selector.ts";
import { portNumberOrName, validateCidr } from "../../apimachinery/validation/rules.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { object, objects, text, texts } from "../../lib/json/read.ts";
import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { formatSelector, type Labelled, NONE } from "../printing.ts";
import { ensureObject, objectsOf, setDefault } from "../set-default.ts";

/** Validates a networking.k8s.io/v1 NetworkPolicy. */
function validateNetworkPolicy(policy: ApiObject): StatusCause[] {
  const spec = object(policy.spec);
  const causes = validateLabelSelector(object(spec.podSelector), "spec.podSelector");
  for (const [direction, side] of [
    ["ingress", "from"],
    ["egress", "to"],
  ] as const) {
    objects(spec[direction]).forEach((rule, index) => {
      const path = `spec.${direction}[${index}]`;
      causes.push(...objects(rule.ports).flatMap((port, at) => validatePort(port, `${path}.ports[${at}]`)));
      causes.push(...objects(rule[side]).flatMap((peer, at) => validatePeer(peer, `${path}.${side}[${at}]`)));
    });
  }
  const types = texts(spec.policyTypes);
  if (types.length > 2) {
    causes.push(invalid("spec.policyTypes", types, "may not specify more than two policyTypes"));
  } else {
    types.forEach((type, index) => {
      if (type === "Ingress" || type === "Egress") return;
      causes.push(notSupported(`spec.policyTypes[${index}]`, type, ["Ingress", "Egress"]));
    });
  }
  return causes;
}

function validatePort(port: JsonObject, path: string): StatusCause[] {
  const protocols = ["SCTP", "TCP", "UDP"];
  const known = port.protocol === undefined || protocols.includes(text(port.protocol));
  return [
    ...(known ? [] : [notSupported(`${path}.protocol`, port.protocol, protocols)]),
    ...(port.port === undefined ? [] : portNumberOrName(port.port, `${path}.port`)),
  ];
}

function validatePeer(peer: JsonObject, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  let count = 0;
  for (const key of ["podSelector", "namespaceSelector"]) {
    const selector = peer[key];
    if (!isJsonObject(selector)) continue;
    count++;
    causes.push(...validateLabelSelector(selector, `${path}.${key}`));
  }
  if (isJsonObject(peer.ipBlock)) {
    const cidr = text(peer.ipBlock.cidr);
    causes.push(
      ...(cidr === "" ? [required(`${path}.ipBlock.cidr`)] : validateCidr(cidr, `${path}.ipBlock.cidr`)),
    );
    if (count > 0) causes.push(forbidden(path, "may not specify both ipBlock and another peer"));
    count++;
  }
  return count === 0 ? [required(path, "must specify a peer")] : causes;
}

interface NetworkPolicy extends Named {
  spec?: { podSelector?: Labelled };
}

const networkPolicyPrinter = definePrinter<NetworkPolicy>((object, context) => [
  nameOf(object),
  formatSelector(object.spec?.podSelector) || NONE,
  ageOf(object, context),
]);

/** networking/v1 NetworkPolicy. */
export const networkPolicyKind: BuiltInKind = {
  strategy: { generation: true },
  setDefaults(object) {
    const spec = ensureObject(object, "spec");
    for (const rule of [...objectsOf(spec.ingress), ...objectsOf(spec.egress)]) {
      for (const port of objectsOf(rule.ports)) setDefault(port, "protocol", "TCP");
    }
    const types = objectsOf(spec.egress).length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
    if (!Array.isArray(spec.policyTypes) || spec.policyTypes.length === 0) spec.policyTypes = types;
  },
  validate: validateNetworkPolicy,
  printer: networkPolicyPrinter,
};
