import type { ObjectView, TimelineEntry } from "../cluster/wire.ts";

/** Which objects the graph shows. */
export interface Filter {
  /** A namespace, "" for all, or undefined for all but those of Kubernetes itself. */
  readonly namespace: string | undefined;
  /** Text in the name or kind. "" matches all. */
  readonly search: string;
  /** Whether to show objects that exist in every cluster and seldom matter. */
  readonly everything: boolean;
}

const quietKinds = new Set(["Namespace", "Lease", "EndpointSlice", "Endpoints", "ControllerRevision"]);

/** ClusterRoles of Kubernetes itself, and their bindings. */
const ownRoles = /^(system:|kubeadm:|(cluster-admin|admin|edit|view)$)/;

/** Returns the objects that the filter selects, with the owners of those that the search matches. */
export function visibleObjects(objects: ReadonlyMap<string, ObjectView>, filter: Filter): ObjectView[] {
  const shown = [...objects.values()].filter((view) => isVisible(view, filter));
  const text = filter.search.trim().toLowerCase();
  if (text === "") return shown;
  const matching = new Set(shown.filter((view) => `${view.kind} ${view.name}`.toLowerCase().includes(text)));
  for (const view of matching)
    for (const { uid } of view.owners) {
      const owner = objects.get(uid);
      if (owner) matching.add(owner);
    }
  return [...matching];
}

type Named = Pick<ObjectView, "kind" | "name" | "namespace">;

/**
 * Returns whether the filter selects an entry, whatever its search says. A fault or a controller may concern all
 * namespaces.
 */
export function isVisibleEntry(entry: TimelineEntry, filter: Filter): boolean {
  return entry.type === "fault" || entry.type === "started" || isVisible(entry, filter);
}

/** Returns whether the filter selects an object, whatever its search says. */
function isVisible(object: Named, { namespace, everything }: Filter): boolean {
  return isInNamespace(object, namespace) && (everything || !isQuiet(object));
}

function isInNamespace({ namespace }: Named, chosen: string | undefined): boolean {
  if (chosen === "") return true;
  return chosen === undefined ? !namespace.startsWith("kube-") : namespace === chosen;
}

function isQuiet({ kind, name, namespace }: Named): boolean {
  return (
    quietKinds.has(kind) ||
    (kind.startsWith("ClusterRole") && ownRoles.test(name)) ||
    (kind === "ConfigMap" && name === "kube-root-ca.crt") ||
    (kind === "ServiceAccount" && name === "default") ||
    (kind === "Service" && name === "kubernetes" && namespace === "default")
  );
}
