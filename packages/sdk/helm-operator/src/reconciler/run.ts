import type { Clock, KubeObject } from "@operator-path/client";
import type { Client, EventRecorder, Logger, Reader, Request } from "@operator-path/controller-runtime";
import type { Drift } from "../drift/create-drift.ts";
import type { ResourceMapper } from "../resources/resource-mapper.ts";
import type { AnnotatedOptions } from "./annotations.ts";
import type { Dependents } from "./dependents.ts";
import type { Memory } from "./memory.ts";
import type { HelmSettings } from "./options.ts";
import type { StatusReport } from "./status-report.ts";

/** What all reconciles of a controller share. */
export interface HelmContext {
  readonly settings: HelmSettings;
  /** Reads from the cache. Knows the kinds that the mapper has found. */
  readonly client: Client;
  /** Reads from the server. */
  readonly apiReader: Reader;
  readonly mapper: ResourceMapper;
  readonly drift: Drift;
  /** Undefined: the objects of releases are not watched. */
  readonly dependents: Dependents | undefined;
  readonly events: EventRecorder;
  readonly clock: Clock;
}

/** One reconcile of one object. Each step is a function of it. */
export interface Run extends HelmContext {
  /** The object as last read or written. */
  object: KubeObject;
  readonly key: Request;
  readonly annotated: AnnotatedOptions;
  readonly memory: Memory;
  readonly status: StatusReport;
  readonly log: Logger;
  readonly signal: AbortSignal;
}
