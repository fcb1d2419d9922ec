import type { StatusCause } from "../../apimachinery/errors.ts";
import { invalid, notSupported, required } from "../../apimachinery/validation/cause.ts";
import { portNumber } from "../../apimachinery/validation/rules.ts";
import { isDns1123Label, isDns1123Subdomain, isPortName } from "../../lib/formats/names.ts";
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";
import { object, objects, text } from "../../lib/json/read.ts";
import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { formatLoadBalancer, NONE } from "../printing.ts";

const pathTypes = ["Exact", "ImplementationSpecific", "Prefix"];

/** Validates a networking.k8s.io/v1 Ingress. */
function validateIngress(ingress: ApiObject): StatusCause[] {
  const spec = object(ingress.spec);
  const rules = objects(spec.rules);
  const causes: StatusCause[] = [];
  if (rules.length === 0 && !isJsonObject(spec.defaultBackend)) {
    const detail = "either `defaultBackend` or `rules` must be specified";
    causes.push(invalid("spec", Array.isArray(spec.rules) ? spec.rules : null, detail));
  }
  if (isJsonObject(spec.defaultBackend)) {
    causes.push(...validateBackend(spec.defaultBackend, "spec.defaultBackend"));
  }
  rules.forEach((rule, index) => {
    const path = `spec.rules[${index}]`;
    causes.push(...validateHost(text(rule.host), `${path}.host`));
    if (isJsonObject(rule.http)) causes.push(...validatePaths(rule.http, `${path}.http.paths`));
  });
  return causes;
}

function validateHost(host: string, path: string): StatusCause[] {
  if (host === "") return [];
  const name = host.startsWith("*.") ? host.slice(2) : host;
  return isDns1123Subdomain(name).map((error) => invalid(path, host, error));
}

function validatePaths(http: JsonObject, path: string): StatusCause[] {
  const paths = objects(http.paths);
  if (paths.length === 0) return [required(path)];
  return paths.flatMap((entry, index) => {
    const inner = `${path}[${index}]`;
    const causes: StatusCause[] = [];
    const type = text(entry.pathType);
    const place = text(entry.path);
    if (entry.pathType === undefined)
      causes.push(required(`${inner}.pathType`, "pathType must be specified"));
    else if (!pathTypes.includes(type)) causes.push(notSupported(`${inner}.pathType`, type, pathTypes));
    else if (type !== "ImplementationSpecific" && !place.startsWith("/")) {
      causes.push(invalid(`${inner}.path`, place, "must be an absolute path"));
    }
    return [...causes, ...validateBackend(object(entry.backend), `${inner}.backend`)];
  });
}

function validateBackend(backend: JsonObject, path: string): StatusCause[] {
  const { service, resource } = backend;
  if (isJsonObject(service) && isJsonObject(resource)) {
    return [invalid(path, "", "cannot set both resource and service backends")];
  }
  if (isJsonObject(resource)) return [];
  if (!isJsonObject(service)) return [invalid(path, "", "resource or service backend is required")];
  const name = text(service.name);
  const causes =
    name === ""
      ? [required(`${path}.service.name`)]
      : isDns1123Label(name).map((error) => invalid(`${path}.service.name`, name, error));
  return [...causes, ...validateServicePort(service.port, path)];
}

function validateServicePort(port: JsonValue | undefined, path: string): StatusCause[] {
  const { name, number } = object(port);
  const hasName = text(name) !== "";
  const hasNumber = number !== undefined && number !== 0;
  if (hasName && hasNumber) return [invalid(path, "", "cannot set both port name & port number")];
  if (hasName)
    return isPortName(text(name)).map((error) => invalid(`${path}.service.port.name`, name, error));
  if (hasNumber) return portNumber(number, `${path}.service.port.number`);
  return [required(path, "port name or number is required")];
}

interface Ingress extends Named {
  spec?: { ingressClassName?: string; rules?: { host?: string }[]; tls?: object[] };
  status?: { loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] } };
}

/** How many hosts are printed before the rest is only counted. */
const maximumPrinted = 3;

const ingressPrinter = definePrinter<Ingress>((ingress, context) => [
  nameOf(ingress),
  ingress.spec?.ingressClassName ?? NONE,
  formatHosts(ingress.spec?.rules ?? []),
  formatLoadBalancer(ingress.status?.loadBalancer),
  (ingress.spec?.tls ?? []).length > 0 ? "80, 443" : "80",
  ageOf(ingress, context),
]);

function formatHosts(rules: { host?: string }[]): string {
  const hosts: string[] = [];
  for (const { host = "" } of rules) {
    if (hosts.length === maximumPrinted)
      return `${hosts.join(",")} + ${rules.length - maximumPrinted} more...`;
    if (host !== "") hosts.push(host);
  }
  return hosts.length === 0 ? "*" : hosts.join(",");
}

/** networking/v1 Ingress. */
export const ingressKind: BuiltInKind = {
  strategy: { generation: true, initialStatus: () => ({ loadBalancer: {} }) },
  validate: validateIngress,
  printer: ingressPrinter,
};
