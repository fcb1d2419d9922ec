import type { Clock, KubeObject, Resource } from "@operator-path/client";
import type { Client, Reader } from "@operator-path/controller-runtime";
import type { ResourceMapper } from "../resources/resource-mapper.ts";
import type { Contest } from "./contest.ts";
import type { Remembered } from "./memory.ts";
import type { Schemas } from "./schemas.ts";
import type { ReleaseKey } from "./wanted.ts";

/** What the repairs of one release's objects share. */
export interface RepairContext {
  readonly client: Client;
  readonly reader: Reader;
  /** Reads from the server, past every cache. */
  readonly server: Reader;
  readonly mapper: Pick<ResourceMapper, "resourceFor">;
  readonly schemas: Schemas;
  readonly clock: Pick<Clock, "steady">;
  readonly owner: KubeObject;
  readonly release: ReleaseKey;
  readonly signal: AbortSignal | undefined;
  /** The autoscalers in the same manifest. */
  readonly autoscalers: readonly KubeObject[];
  /** Reports a kind that the operator may not list. */
  reportForbidden(resource: Resource): void;
  isBuiltIn(resource: Resource): boolean;
  recall(object: string): Remembered | undefined;
  keep(object: string, remembered: Remembered): void;
  contestOf(object: string): Contest;
}
