import { type Client, isAlreadyExists, isNotFound } from "@operator-path/client";
import type { Thing } from "../objects.ts";
import type { RealHistory, Step } from "./draw.ts";
import { kinds } from "./kinds.ts";

/** Strings that look like JSON, managedFields or a line end, or have more bytes than characters. */
const texts = [
  "plain",
  "",
  "äöü – ✓ 🙂 \u2028",
  '"metadata":{"name":"x","managedFields":[{"a":"}"]}"]},',
  'back\\slash" quote and \\u0022 }]}',
  "two\nlines\r\n\tand a tab",
  '{"type":"DELETED","object":{"metadata":{"uid":"no"}}}\n',
  "<b>&amp;</b>",
  "long ".repeat(2_000),
];

/** Writes past all faults, one write after the other. Does not delete missing objects. */
export function createWriter(client: Client, kind: RealHistory["kind"], namespace: string) {
  const resource = kinds[kind];
  const api = client.resource(resource).namespace(namespace);
  const apiVersion = resource.group === "" ? "v1" : `${resource.group}/${resource.version}`;

  const objectOf = (object: number, value: number): Thing => ({
    apiVersion,
    kind: resource.kind,
    metadata: { name: `o${object}`, labels: { app: `app-${value % 3}` } },
    data: { value: `${value}`, text: texts[value % texts.length] as string },
  });

  async function put(object: number, value: number): Promise<void> {
    const wanted = objectOf(object, value);
    await api.create(wanted).catch(async (error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
      const { metadata, data } = wanted;
      await api.patch(`o${object}`, { metadata: { labels: metadata?.labels }, data }, { type: "merge" });
    });
  }

  async function remove(object: number): Promise<void> {
    await api.delete(`o${object}`).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }

  return {
    put,
    async write({ op, object, value }: Extract<Step, { do: "write" }>): Promise<void> {
      if (op !== "put") await remove(object);
      if (op !== "delete") await put(object, value);
    },
    /** The existing objects, with the apiVersion and kind of single objects. */
    async list(): Promise<Thing[]> {
      const { items } = await api.list();
      return items.map((item) => ({ ...item, apiVersion, kind: resource.kind }));
    },
  };
}
