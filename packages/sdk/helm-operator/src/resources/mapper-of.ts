import type { Resource } from "@operator-path/client";
import type { Manager } from "@operator-path/controller-runtime";
import { createResourceMapper, type ResourceMapper } from "./resource-mapper.ts";

/** One mapper for each manager: its controllers render charts of much the same kinds. */
const mappers = new WeakMap<Manager, ResourceMapper>();

/**
 * Returns the mapper of a manager.
 *
 * @param resource a resource to add, so that the server need not be asked for it
 */
export function mapperOf(manager: Manager, resource?: Resource): ResourceMapper {
  const mapper = mappers.get(manager) ?? createResourceMapper(manager.connection, manager.scheme);
  mappers.set(manager, mapper);
  if (resource) mapper.know(resource);
  return mapper;
}
