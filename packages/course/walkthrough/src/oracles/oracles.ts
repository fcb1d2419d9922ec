import type { ActivityRecord } from "@operator-path/cluster";
import { isCustom, isLasting } from "../leaks/cluster-objects.ts";
import { listOwn, pokeCustomResources } from "../leaks/leaks.ts";
import { PageFailure } from "../run/failure.ts";
import type { Run } from "../run/prepare-run.ts";
import { isOperators, openWatches, type RequestRecord, readActivity } from "./activity.ts";
import { checkRest } from "./rest.ts";

/** Kinds that the cluster itself writes all the time. */
const busy = /^(?:nodes|csinodes)$/;

/**
 * Waits until the cluster rests, if there is one. Throws PageFailure, which names objects, controllers and
 * rates, when it does not.
 *
 * @param line the line of the page after which it should rest
 */
export async function mustRest(run: Run, line: number, signal: AbortSignal): Promise<void> {
  const { cluster, limits, page, snapshot } = run;
  if (!cluster) return;
  run.options.reporter?.doing?.("waiting until the cluster rests", line);
  const { activity } = run.environment;
  const restless = await checkRest({
    ...{ window: limits.quiet, patience: limits.settling, allowed: page.frontMatter.rests, signal },
    activity: () => readActivity(activity),
    ...(cluster.provider === "embedded" && { poke: () => pokeCustomResources(snapshot) }),
    versions: () => listOwn(snapshot, (kind) => isLasting(kind) && !busy.test(kind.resource)),
  });
  if (restless.length === 0) {
    run.sawOperatorRest ||= openWatches(readActivity(activity)).some(isOperators);
    return;
  }
  throw new PageFailure(
    line,
    "the cluster does not rest although the page does nothing. A controller writes only what differs, waits for the next event, and watches a resource once; where a page needs more, its front matter declares it (`rests: {reconciles: 1}`, times a second)",
    { diff: restless.map((text) => ({ kind: "+", text })) },
  );
}

/**
 * Reports whether an operator may be running. The run's own clusters record what operators do. On other
 * clusters, a custom resource is a sign of one.
 */
export async function mayRunOperator(run: Run): Promise<boolean> {
  const records = readActivity(run.environment.activity);
  if (records.some((record) => record.type === "reconcile" || isOperatorsWatch(record))) return true;
  if (run.ownsCluster) return false;
  // The leak check reports a cluster that does not answer.
  const objects = await listOwn(run.snapshot, isCustom).catch(() => new Map());
  return objects.size > 0;
}

function isOperatorsWatch(record: ActivityRecord): record is RequestRecord {
  return record.type === "request" && record.id !== undefined && isOperators(record);
}

/**
 * Throws PageFailure if the page ran an operator, but no operator was running at any time when the cluster
 * rested. Only the embedded cluster records its watches.
 */
export function mustHaveSeenRest(run: Run, line: number): void {
  if (run.sawOperatorRest) return;
  const operator = readActivity(run.environment.activity).find(isOperatorsWatch);
  if (!operator) return;
  throw new PageFailure(
    line,
    `the operator of client "${operator.client}" was stopped before the run checked whether it rests: start it with \`console running rests\`, and stop it in a later block`,
  );
}

/** Throws PageFailure if a client other than the run changed a decoy. */
export function mustKeepToNamespace(run: Run, line: number): void {
  const changes = run.decoy?.changes() ?? [];
  if (changes.length === 0) return;
  throw new PageFailure(
    line,
    "an operator changed objects of another namespace, which share names and labels with the page's objects: name the namespace in each list, get and write",
    { diff: changes.map((text) => ({ kind: "+", text })) },
  );
}
