import type { Resource } from "@operator-path/client";
import type { Manager } from "@operator-path/controller-runtime";
import { createResourceMapper, type ResourceMapper } from "./resource-mapper.ts";

/** One a manager: its controllers render charts of much the same kinds. */
const mappers = new WeakMap<Manager, ResourceMapper>();

/** @param resource that need not be asked for */
export function mapperOf(manager: Manager, resource?: Resource): ResourceMapper {
  const mapper = mappers.get(manager) ?? createResourceMapper(manager.connection, manager.scheme);
  mappers.set(manager, mapper);
  if (resource) mapper.know(resource);
  return mapper;
}
