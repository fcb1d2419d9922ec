/** A node of a heap. The heap stores its position in it, so that it can find the node without a search. */
export interface HeapNode {
  /** Position in the heap; -1 while it is not in a heap. */
  place: number;
}

/** A binary heap: `first` takes O(1), everything else O(log n), including the removal of any node. */
export interface Heap<N extends HeapNode> {
  readonly size: number;
  first(): N | undefined;
  push(node: N): void;
  pop(): N | undefined;
  /** Call this after the rank of a node has changed. */
  moved(node: N): void;
  remove(node: N): void;
  clear(): void;
}

/** @param before returns whether `a` comes out before `b`; it must be a total order */
export function createHeap<N extends HeapNode>(before: (a: N, b: N) => boolean): Heap<N> {
  const nodes: N[] = [];

  function put(node: N, place: number): void {
    nodes[place] = node;
    node.place = place;
  }

  function rise(node: N, from: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = nodes[above] as N;
      if (!before(node, parent)) break;
      put(parent, place);
      place = above;
    }
    put(node, place);
  }

  function sink(node: N, from: number): void {
    let place = from;
    for (let below = 2 * place + 1; below < nodes.length; below = 2 * place + 1) {
      let child = nodes[below] as N;
      const other = nodes[below + 1];
      if (other && before(other, child)) {
        child = other;
        below++;
      }
      if (!before(child, node)) break;
      put(child, place);
      place = below;
    }
    put(node, place);
  }

  function remove(node: N): void {
    const { place } = node;
    const last = nodes.pop() as N;
    node.place = -1;
    if (last === node) return;
    put(last, place);
    moved(last);
  }

  function moved(node: N): void {
    const { place } = node;
    rise(node, place);
    if (node.place === place) sink(node, place);
  }

  return {
    get size() {
      return nodes.length;
    },
    first: () => nodes[0],
    push: (node) => rise(node, nodes.length),
    pop() {
      const [first] = nodes;
      if (first) remove(first);
      return first;
    },
    moved,
    remove,
    clear() {
      for (const node of nodes) node.place = -1;
      nodes.length = 0;
    },
  };
}
