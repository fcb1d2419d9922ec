import { type Client, type KubeObject, type PatchBodies, pathOf, type Resource } from "@operator-path/client";

/**
 * Creates an object with its status, and returns what `kubectl get` prints of it: cells by the name of their column,
 * without its age. Give every field a value of its own, and a column that shows another field is noticed.
 *
 * @throws ApiError when the API server refuses the object
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
