import { isDeepStrictEqual } from "node:util";
import type { StatusCause } from "../../apimachinery/errors.ts";
import { duplicate, invalid, notSupported, required } from "../../apimachinery/validation/cause.ts";
import { validateEndpointIp } from "../../apimachinery/validation/rules.ts";
import { isDns1123Label, isDns1123Subdomain } from "../../lib/formats/names.ts";
import type { ApiObject, JsonObject } from "../../lib/json/json.ts";
import { objects, text, texts } from "../../lib/json/read.ts";
import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { listWithMore, UNSET } from "../printing.ts";
import { objectsOf, setDefault } from "../set-default.ts";

const addressTypes = ["FQDN", "IPv4", "IPv6"];

/** Validates a discovery.k8s.io/v1 EndpointSlice. */
function validateEndpointSlice(slice: ApiObject, old?: ApiObject): StatusCause[] {
  const type = text((slice as JsonObject).addressType);
  const causes: StatusCause[] = [];
  if (type === "") causes.push(required("addressType"));
  else if (!addressTypes.includes(type)) causes.push(notSupported("addressType", type, addressTypes));
  if (old !== undefined && (old as JsonObject).addressType !== type) {
    causes.push(invalid("addressType", type, "field is immutable"));
  }
  objects((slice as JsonObject).endpoints).forEach((endpoint, index) => {
    causes.push(...validateAddresses(endpoint, type, `endpoints[${index}].addresses`));
  });
  return [...causes, ...validatePorts(objects((slice as JsonObject).ports))];
}

function validateAddresses(endpoint: JsonObject, type: string, path: string): StatusCause[] {
  const addresses = texts(endpoint.addresses);
  if (addresses.length === 0) return [required(path, "must contain at least 1 address")];
  return addresses.flatMap((address, index) => {
    const field = `${path}[${index}]`;
    if (type === "FQDN") return isDns1123Subdomain(address).map((error) => invalid(field, address, error));
    if (!addressTypes.includes(type)) return [];
    const causes = validateEndpointIp(address, field);
    const isOfFamily = type === (address.includes(":") ? "IPv6" : "IPv4");
    return causes.length > 0 || isOfFamily ? causes : [invalid(field, address, `must be an ${type} address`)];
  });
}

function validatePorts(ports: readonly JsonObject[]): StatusCause[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const path = `ports[${index}]`;
    const name = text(port.name);
    const causes =
      name === "" ? [] : isDns1123Label(name).map((error) => invalid(`${path}.name`, name, error));
    if (names.has(name)) causes.push(duplicate(`${path}.name`, name));
    names.add(name);
    const protocols = ["SCTP", "TCP", "UDP"];
    if (port.protocol !== undefined && !protocols.includes(text(port.protocol))) {
      causes.push(notSupported(`${path}.protocol`, port.protocol, protocols));
    }
    return causes;
  });
}

interface EndpointSlice extends Named {
  addressType?: string;
  ports?: { name?: string; port?: number }[];
  endpoints?: { addresses?: string[] }[];
}

const endpointSlicePrinter = definePrinter<EndpointSlice>((object, context) => [
  nameOf(object),
  object.addressType ?? "",
  listWithMore(
    (object.ports ?? []).map(({ name, port }) => (port === undefined ? (name ?? "*") : String(port))),
    UNSET,
  ),
  listWithMore(
    (object.endpoints ?? []).flatMap(({ addresses = [] }) => addresses),
    UNSET,
  ),
  ageOf(object, context),
]);

/** discovery/v1 EndpointSlice. */
export const endpointSliceKind: BuiltInKind = {
  strategy: {
    generation: true,
    // An EndpointSlice has no spec: all fields except metadata count, and its labels.
    generationChanged: ({ metadata, ...content }, { metadata: oldMetadata, ...oldContent }) =>
      !isDeepStrictEqual(content, oldContent) ||
      !isDeepStrictEqual(metadata.labels ?? {}, oldMetadata.labels ?? {}),
  },
  setDefaults(object) {
    // Not defaults: Go always writes these lists.
    for (const list of ["endpoints", "ports"]) if (objectsOf(object[list]).length === 0) object[list] = null;
    for (const port of objectsOf(object.ports)) {
      if (port.name === undefined) port.name = "";
      setDefault(port, "protocol", "TCP");
    }
  },
  validate: validateEndpointSlice,
  printer: endpointSlicePrinter,
};
