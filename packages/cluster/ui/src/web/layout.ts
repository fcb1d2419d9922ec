import type { ObjectView } from "../cluster/wire.ts";

export interface Placed {
  readonly view: ObjectView;
  readonly x: number;
  readonly y: number;
}

export interface Edge {
  /** The UID of the owned object. */
  readonly uid: string;
  readonly path: string;
  /** The top and bottom of the curve, to skip those that are not in view. */
  readonly top: number;
  readonly bottom: number;
}

export interface Section {
  /** "" for cluster-scoped objects. */
  readonly namespace: string;
  readonly count: number;
  readonly y: number;
}

export interface Layout {
  /** In reading order. */
  readonly nodes: readonly Placed[];
  readonly edges: readonly Edge[];
  readonly sections: readonly Section[];
  readonly height: number;
  /** Wider in a list, which has room for longer names. */
  readonly nodeWidth: number;
}

export const nodeSize = { width: 208, height: 52 } as const;
const gap = { x: 20, y: 8, block: 24, section: 40, heading: 36, indent: 20 } as const;
const margin = 16;
const list = { widest: 280, levels: 3 } as const;

/**
 * Places objects: a section for each namespace, and in it a tree for each object without an owner, from left to
 * right along the owner references. Trees fill the width like bricks. In a narrow view, trees are indented lists.
 *
 * The order depends on kinds, ages and names alone, so a change moves as little as possible.
 *
 * @param width of the view in pixels
 */
export function layOut(objects: readonly ObjectView[], width: number): Layout {
  const isNarrow = width < 640;
  const trees = treesOf(objects);
  const nodes: Placed[] = [];
  const edges: Edge[] = [];
  const sections: Section[] = [];
  let y = margin;
  const byNamespace = Map.groupBy(trees, ({ view }) => view.namespace);
  const names = [...byNamespace.keys()].sort(
    (a, b) => Number(a === "") - Number(b === "") || compareText(a, b),
  );
  for (const namespace of names) {
    const roots = (byNamespace.get(namespace) ?? []).toSorted(compareRoots);
    sections.push({ namespace, count: roots.reduce((sum, tree) => sum + tree.size, 0), y });
    y += gap.heading;
    y = isNarrow ? placeList(roots, y, nodes, edges) : placeBricks(roots, y, width, nodes, edges);
    y += gap.section;
  }
  const room = Math.min(list.widest, width - 2 * margin - list.levels * gap.indent);
  const nodeWidth = isNarrow ? Math.max(nodeSize.width, room) : nodeSize.width;
  return { nodes, edges, sections, height: y, nodeWidth };
}

interface Tree {
  readonly view: ObjectView;
  readonly children: Tree[];
  /** The number of objects. */
  readonly size: number;
  /** Columns and rows that it takes from left to right. */
  readonly columns: number;
  readonly rows: number;
}

function treesOf(objects: readonly ObjectView[]): Tree[] {
  const byUid = new Map(objects.map((view) => [view.uid, view]));
  const ownerOf = (view: ObjectView) => {
    const owners = view.owners.filter(({ uid }) => byUid.has(uid) && uid !== view.uid);
    return (owners.find(({ controller }) => controller) ?? owners[0])?.uid;
  };
  const children = Map.groupBy(objects, ownerOf);
  const seen = new Set<string>();
  const grow = (view: ObjectView): Tree => {
    seen.add(view.uid);
    // Owner references may form a circle. Each object is shown once.
    const own = (children.get(view.uid) ?? []).filter(({ uid }) => !seen.has(uid));
    const trees = own.toSorted(compareViews).map(grow);
    return {
      ...{ view, children: trees },
      size: 1 + trees.reduce((sum, tree) => sum + tree.size, 0),
      columns: 1 + Math.max(0, ...trees.map((tree) => tree.columns)),
      rows: Math.max(
        1,
        trees.reduce((sum, tree) => sum + tree.rows, 0),
      ),
    };
  };
  const roots = (children.get(undefined) ?? []).map(grow);
  const inCircles = objects
    .filter(({ uid }) => !seen.has(uid))
    .flatMap((view) => (seen.has(view.uid) ? [] : [grow(view)]));
  return [...roots, ...inCircles];
}

/** Custom resources first, because an operator is about them. Then trees, then single objects by kind. */
function compareRoots(a: Tree, b: Tree): number {
  return (
    Number(isCustom(b.view)) - Number(isCustom(a.view)) ||
    Number(b.size > 1) - Number(a.size > 1) ||
    compareViews(a.view, b.view)
  );
}

/** The groups of Kubernetes have no dot, or end with ".k8s.io". */
function isCustom({ apiVersion }: ObjectView): boolean {
  const [group = ""] = apiVersion.split("/");
  return group.includes(".") && !group.endsWith(".k8s.io");
}

const kindOrder = [
  ...["Deployment", "StatefulSet", "DaemonSet", "CronJob", "Job", "ReplicaSet", "Pod", "Service", "Ingress"],
  ...["ConfigMap", "Secret", "PersistentVolumeClaim", "ServiceAccount", "Role", "RoleBinding", "Node"],
];

function compareViews(a: ObjectView, b: ObjectView): number {
  return (
    // Custom resources come before the built-in kinds (-1), and unknown kinds sort by name.
    kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind) ||
    compareText(a.kind, b.kind) ||
    a.created - b.created ||
    compareText(a.name, b.name)
  );
}

/** `localeCompare` takes ten times as long, and all names are ASCII. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function placeBricks(
  roots: readonly Tree[],
  top: number,
  width: number,
  nodes: Placed[],
  edges: Edge[],
): number {
  const column = nodeSize.width + gap.x;
  const columns = Math.max(1, Math.floor((width - 2 * margin + gap.x) / column));
  /** The first free y of each column. */
  const free = new Array<number>(columns).fill(top);
  for (const tree of roots) {
    const span = Math.min(tree.columns, columns);
    const starts = Array.from({ length: columns - span + 1 }, (_, start) =>
      Math.max(...free.slice(start, start + span)),
    );
    const y = Math.min(...starts);
    const start = starts.indexOf(y);
    if (tree.columns > columns) {
      free.fill(placeList([tree], y, nodes, edges));
      continue;
    }
    place(tree, start, y);
    const height = tree.rows * (nodeSize.height + gap.y) + (tree.size > 1 ? gap.block - gap.y : 0);
    free.fill(y + height, start, start + span);
  }
  return Math.max(...free);

  function place(tree: Tree, at: number, y: number): Placed {
    const node = { view: tree.view, x: margin + at * column, y };
    nodes.push(node);
    let row = y;
    for (const child of tree.children) {
      const placed = place(child, at + 1, row);
      edges.push(curve(node, placed));
      row += child.rows * (nodeSize.height + gap.y);
    }
    return node;
  }
}

function placeList(roots: readonly Tree[], top: number, nodes: Placed[], edges: Edge[]): number {
  let y = top;
  for (const tree of roots) {
    place(tree, 0);
    if (tree.size > 1) y += gap.block - gap.y;
  }
  return y;

  function place(tree: Tree, depth: number): Placed {
    const node = { view: tree.view, x: margin + depth * gap.indent, y };
    nodes.push(node);
    y += nodeSize.height + gap.y;
    for (const child of tree.children) edges.push(elbow(node, place(child, depth + 1)));
    return node;
  }
}

function curve(from: Placed, to: Placed): Edge {
  const [x1, y1] = [from.x + nodeSize.width, from.y + nodeSize.height / 2];
  const [x2, y2] = [to.x, to.y + nodeSize.height / 2];
  const middle = (x1 + x2) / 2;
  const path = `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
  return { uid: to.view.uid, path, top: Math.min(y1, y2), bottom: Math.max(y1, y2) };
}

function elbow(from: Placed, to: Placed): Edge {
  const [x1, y1] = [from.x + 8, from.y + nodeSize.height];
  const [x2, y2] = [to.x, to.y + nodeSize.height / 2];
  return { uid: to.view.uid, path: `M${x1} ${y1}C${x1} ${y1} ${x1} ${y2} ${x2} ${y2}`, top: y1, bottom: y2 };
}
