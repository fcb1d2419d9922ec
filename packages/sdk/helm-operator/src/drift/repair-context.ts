import type { Clock, KubeObject, Resource } from "@operator-path/client";
import type { Client, Reader } from "@operator-path/controller-runtime";
import type { ResourceMapper } from "../resources/resource-mapper.ts";
import type { Contest } from "./contest.ts";
import type { Remembered } from "./memory.ts";
import type { Schemas } from "./schemas.ts";
import type { ReleaseKey } from "./wanted.ts";

/** What the repairs of one release's objects have in common. */
export interface RepairContext {
  readonly client: Client;
  readonly reader: Reader;
  /** Past every cache. */
  readonly server: Reader;
  readonly mapper: Pick<ResourceMapper, "resourceFor">;
  readonly schemas: Schemas;
  readonly clock: Pick<Clock, "steady">;
  readonly owner: KubeObject;
  readonly release: ReleaseKey;
  readonly signal: AbortSignal | undefined;
  /** Of the same manifest. */
  readonly autoscalers: readonly KubeObject[];
  /** Objects that would have been looked at are forbidden to this operator. */
  mayNotList(resource: Resource): void;
  isBuiltIn(resource: Resource): boolean;
  recall(object: string): Remembered | undefined;
  keep(object: string, remembered: Remembered): void;
  contestOf(object: string): Contest;
}
