import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { listWithMore, NONE } from "../printing.ts";
import { objectsOf, setDefault } from "../set-default.ts";

interface Endpoints extends Named {
  subsets?: { addresses?: { ip?: string }[]; ports?: { port?: number }[] }[];
}

const endpointsPrinter = definePrinter<Endpoints>((object, context) => [
  nameOf(object),
  listWithMore((object.subsets ?? []).flatMap(addressesOf), (object.subsets ?? []).length === 0 ? NONE : ""),
  ageOf(object, context),
]);

function addressesOf(subset: NonNullable<Endpoints["subsets"]>[number]): string[] {
  const addresses = (subset.addresses ?? []).map(({ ip = "" }) => ip);
  const ports = subset.ports ?? [];
  if (ports.length === 0) return addresses;
  return ports.flatMap(({ port = 0 }) => {
    return addresses.map((ip) => (ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`));
  });
}

/** core/v1 Endpoints. */
export const endpointsKind: BuiltInKind = {
  strategy: { createOnUpdate: true },
  setDefaults(object) {
    for (const subset of objectsOf(object.subsets)) {
      for (const port of objectsOf(subset.ports)) setDefault(port, "protocol", "TCP");
    }
  },
  printer: endpointsPrinter,
};
