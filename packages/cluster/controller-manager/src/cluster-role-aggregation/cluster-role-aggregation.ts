import { isDeepStrictEqual } from "node:util";
import { type ClusterRole, isNotFound } from "@operator-path/client";
import { createWorkQueue, matchLabels } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import { nameOf } from "../objects.ts";
import { clusterRoles } from "../resources.ts";

const fieldManager = "clusterrole-aggregation-controller";

/**
 * Fills every ClusterRole that has an aggregationRule with the rules of the roles that it selects. This is
 * how `admin`, `edit` and `view` receive the rules for an operator's kinds. (Kubernetes:
 * pkg/controller/clusterroleaggregation.)
 */
export function createClusterRoleAggregationController(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const queue = createWorkQueue<string>({ clock });
  const { lister } = informers.clusterRoles;

  // Any ClusterRole may be part of any aggregated one. There are few, so all are enqueued.
  const enqueueAll = () => {
    for (const role of lister.list()) if (role.aggregationRule !== undefined) queue.add(nameOf(role));
  };
  informers.clusterRoles.addEventHandler({ added: enqueueAll, updated: enqueueAll, deleted: enqueueAll });
  return runController(context, { name: "clusterrole-aggregation", queue, workers: 1, reconcile });

  async function reconcile(name: string): Promise<void> {
    const role = lister.get(name);
    if (role?.aggregationRule === undefined) return;
    const rules = aggregatedRules(role, lister.list());
    if (isDeepStrictEqual(rules, role.rules ?? [])) return;
    await client
      .resource(clusterRoles)
      .patch(
        name,
        { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name }, rules },
        { type: "apply", fieldManager, force: true },
      )
      .catch((error) => {
        if (!isNotFound(error)) throw error;
      });
  }
}

type Rules = NonNullable<ClusterRole["rules"]>;

/**
 * Returns the rules of all other roles that the role's selectors match, without duplicates. They are ordered
 * by selector, then by role name.
 */
export function aggregatedRules(role: ClusterRole, roles: readonly ClusterRole[]): Rules {
  const others = roles
    .filter((other) => nameOf(other) !== nameOf(role))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const rules: Rules = [];
  for (const selector of role.aggregationRule?.clusterRoleSelectors ?? []) {
    for (const other of others) {
      if (!matchLabels(selector, other.metadata?.labels ?? {})) continue;
      for (const rule of other.rules ?? []) {
        if (!rules.some((known) => isDeepStrictEqual(known, rule))) rules.push(rule);
      }
    }
  }
  return rules;
}
