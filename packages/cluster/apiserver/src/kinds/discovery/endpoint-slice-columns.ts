import type { Named } from "../../server/table/printer.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";
import { listWithMore, UNSET } from "../printing.ts";

interface EndpointSlice extends Named {
  addressType?: string;
  ports?: { name?: string; port?: number }[];
  endpoints?: { addresses?: string[] }[];
}

export const endpointSlicePrinter = definePrinter<EndpointSlice>((object, context) => [
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
