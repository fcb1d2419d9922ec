import { deployments, isInvalid, type TransportRequest } from "@operator-path/client";
import { containsFinalizer, getControllerOf } from "@operator-path/controller-runtime";
import type { SimulatedServer } from "../../server/simulated-server.ts";
import { type DnsRecord, recordFinalizer, type Site, sites } from "../reference/site.ts";

type Revision = ReturnType<SimulatedServer["revisions"]["between"]>[number];

export interface WriteJudge {
  /** Called with each write of the operator when it leaves the process. */
  sent(request: TransportRequest): void;
  /** Called with its result at the server: the revisions that it made, or the refusal. */
  done(request: TransportRequest, revisions: readonly Revision[], refusal: unknown): void;
  /** Called before each change outside of the cluster. */
  recordSet(name: string, record: DnsRecord): void;
  recordRemoved(name: string, uid: string): void;
}

/**
 * Invariants 15 to 17, on the server's side. The operator touches no foreign field, and writes, adopts or
 * deletes no foreign object. The finalizer exists before the external record, and as long as it. A status
 * never describes a spec that it does not match. No write is without a change.
 */
export function createWriteJudge(server: SimulatedServer, problem: (text: string) => void): WriteJudge {
  const siteOf = (key: string) => server.revisions.get(sites.plural, key) as Site | undefined;
  const history = () => server.revisions.between(sites.plural, 0, server.revisions.version);
  const isSite = (uid: string) => history().some(({ after }) => after?.metadata?.uid === uid);

  function judgeSite({ key, before, after }: Revision, isStatus: boolean): void {
    const own = (path: string) => (isStatus ? path.startsWith("status") : path === "metadata.finalizers");
    judgePaths(`Site ${key}`, before, after ?? withoutFinalizer(before as Site), own);
    const others = (site: Site | undefined) =>
      site?.metadata?.finalizers?.filter((each) => each !== recordFinalizer).join() ?? "";
    if (others(before as Site) !== others(after)) problem(`15: a foreign finalizer of Site ${key} changes`);
    if (isStatus && after) judgeStatus(key, before as Site, after);
  }

  function judgeStatus(key: string, before: Site | undefined, { metadata, status }: Site): void {
    const { observedGeneration = 0, size } = status ?? {};
    if (observedGeneration > (metadata?.generation ?? 0)) {
      problem(
        `17: the status of Site ${key} names generation ${observedGeneration} before it exists: ${metadata?.generation}`,
      );
    }
    if (observedGeneration < (before?.status?.observedGeneration ?? 0)) {
      problem(`17: the status of Site ${key} goes back to generation ${observedGeneration}`);
    }
    const spec = history()
      .map(({ after }) => after as Site | undefined)
      .find(
        (each) => each?.metadata?.uid === metadata?.uid && each?.metadata?.generation === observedGeneration,
      )?.spec;
    if (spec?.size !== size) {
      problem(
        `17: the status of Site ${key} says ${size} of generation ${observedGeneration}, which is ${spec?.size}`,
      );
    }
  }

  function judgeDeployment({ key, before, after }: Revision): void {
    const owner = getControllerOf(after ?? before ?? {})?.uid;
    if (!owner || !isSite(owner))
      problem(`15: Deployment ${key} is written, and ${owner ? `belongs to ${owner}` : "has no controller"}`);
    if (!before || !after) return;
    if (getControllerOf(before)?.uid !== owner) problem(`15: Deployment ${key} is adopted by ${owner}`);
    judgePaths(`Deployment ${key}`, before, after, (path) => path === "spec.replicas");
  }

  function judgePaths(what: string, before: unknown, after: unknown, own: (path: string) => boolean): void {
    const alien = changedPaths(before, after).filter(
      (path) => !["metadata.resourceVersion", "metadata.generation"].includes(path) && !own(path),
    );
    if (alien.length > 0) problem(`15: the operator changes ${alien.join(", ")} of ${what}`);
  }

  return {
    sent({ method, path, body }) {
      const { preconditions, metadata } = (body ?? {}) as {
        preconditions?: { uid?: string; resourceVersion?: string };
        metadata?: { resourceVersion?: string };
      };
      if (method === "DELETE" && !(preconditions?.uid && preconditions.resourceVersion)) {
        problem(`15: DELETE ${path} has no UID and resourceVersion as preconditions`);
      }
      if ((method === "PUT" || method === "PATCH") && !metadata?.resourceVersion) {
        problem(`15: ${method} ${path} has no precondition`);
      }
    },
    done({ method, path }, revisions, refusal) {
      if (refusal && isInvalid(refusal))
        problem(`16: ${method} ${path} is rejected: ${(refusal as Error).message}`);
      if (refusal) return;
      if (revisions.length === 0) problem(`14: ${method} ${path} changes nothing`);
      for (const revision of revisions) {
        if (revision.resource === sites.plural) judgeSite(revision, path.endsWith("/status"));
        else if (revision.resource === deployments.plural) judgeDeployment(revision);
      }
    },
    recordSet(name, { uid }) {
      const site = siteOf(name);
      if (site?.metadata?.uid !== uid)
        problem(`16: a record is made for ${uid}, and ${name} is ${site?.metadata?.uid}`);
      else if (!containsFinalizer(site, recordFinalizer))
        problem(`16: a record is made for ${name} without its finalizer`);
    },
    recordRemoved(name, uid) {
      const site = siteOf(name);
      if (site?.metadata?.uid === uid && !site.metadata.deletionTimestamp) {
        problem(`16: the record of ${name} is removed, and the site is not being deleted`);
      }
    },
  };
}

function withoutFinalizer(site: Site): Site {
  const { finalizers: _, ...metadata } = site.metadata ?? {};
  return { ...site, metadata };
}

/** Returns the paths that differ between two JSON values: "spec.replicas". Lists are compared as a whole. */
export function changedPaths(before: unknown, after: unknown, at = ""): string[] {
  if (isObject(before) && isObject(after)) {
    const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...fields].flatMap((field) =>
      changedPaths(before[field], after[field], at === "" ? field : `${at}.${field}`),
    );
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [at];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
