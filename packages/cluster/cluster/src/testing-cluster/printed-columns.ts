import { type Client, type KubeObject, type PatchBodies, pathOf, type Resource } from "@operator-path/client";

/**
 * Creates an object with its status, and returns the cells that `kubectl get` prints for it, by column name
 * and without its age. Give every field a different value, so that a column with the wrong field is noticed.
 *
 * @throws ApiError if the API server rejects the object
 */
export async function printedColumns<T extends KubeObject & { status?: object }>(
  client: Client,
  resource: Resource<T>,
  object: T,
): Promise<Record<string, unknown>> {
  const { namespace = "default", name = "" } = object.metadata ?? {};
  const objects = client.resource(resource).namespace(namespace);
  await objects.create(object);
  await objects.patch(name, { status: object.status } as PatchBodies<T>["merge"], {
    type: "merge",
    subresource: "status",
  });
  const { body } = await client.request({
    method: "GET",
    path: pathOf(resource, { namespace, name }),
    headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" },
  });
  const { columnDefinitions, rows } = JSON.parse(Buffer.from(body).toString()) as {
    columnDefinitions: { name: string }[];
    rows: { cells: unknown[] }[];
  };
  const cells = columnDefinitions.map(({ name: column }, index) => [column, rows[0]?.cells[index]] as const);
  return Object.fromEntries(cells.filter(([column]) => column !== "Age"));
}
