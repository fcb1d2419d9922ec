import type { Clock, Resource, Transport, TransportRequest, TransportResponse } from "@operator-path/client";
import type { Random } from "../random.ts";
import { encodingOf } from "./encoding.ts";
import { collectGarbage, createLifecycleWrites } from "./lifecycle-writes.ts";
import { answerList, type Reading } from "./lists.ts";
import { keyFor, type SimulatedObject } from "./objects.ts";
import { createReplica, type Replica } from "./replica.ts";
import { createRevisions, type Revision, type Revisions } from "./revisions.ts";
import { type Matches, selectionOf } from "./selection.ts";
import { notFound, refusal } from "./statuses.ts";
import { openWatch, type Watching } from "./watches.ts";
import { createWrites, type Preconditions, type Writes } from "./writes.ts";

export interface SimulatedServerOptions {
  clock: Clock;
  /** Decides which replica answers, and how a compacted version is rejected. */
  random: Random;
  resources: { resource: Resource; builtIn?: boolean }[];
  /** The answer to `sendInitialEvents`. Default "offered". */
  watchList?: "offered" | "refused" | "ignored";
  /** Continue tokens are always too old, as on a server whose etcd is compacted all the time. */
  expireTokens?: boolean;
  /** Default 1. */
  replicas?: number;
  /** Milliseconds between bookmarks. Default 60,000. */
  bookmarkEvery?: number;
  /**
   * For operators: finalizers, generations and statuses behave as in a kube-apiserver, and objects without
   * owners are deleted `collectAfter` milliseconds later. Default: every write makes a version, and a
   * deletion removes the object.
   */
  lifecycle?: { collectAfter: number };
}

/**
 * Returns an API server in memory, whose objects are the truth for the judges. It answers at once and without
 * faults: wrap it in `createFaultyTransport` for those.
 *
 * Promises: one version over all resources; lists in pages of one version; watches from any version that is
 * not compacted, with bookmarks and initial events; compare-and-set and preconditions; the messages of a real
 * server where clients read them. Does not promise: schemas, selectors other than `a=b`, field selectors,
 * Tables, patches other than merge patches.
 */
export interface SimulatedServer extends Transport {
  readonly revisions: Revisions;
  readonly replicas: readonly Replica[];
  /** Writes of a test, past all faults. */
  writes(resource: Resource): Writes;
  /** The objects that a list of everything that matches would return. */
  truth(resource: Resource, selection?: { namespace?: string; labelSelector?: string }): SimulatedObject[];
  /** Sends a bookmark to every open watch. */
  bookmark(): void;
  /** The number of open streams. */
  readonly watching: number;
}

export function createSimulatedServer(options: SimulatedServerOptions): SimulatedServer {
  const { clock, random, watchList = "offered", bookmarkEvery = 60_000, expireTokens = false } = options;
  const revisions = createRevisions();
  const replicas = Array.from({ length: options.replicas ?? 1 }, () => createReplica(revisions.version));
  const watching = new Set<Watching>();
  const { lifecycle } = options;
  let collecting = false;
  const collect = () => {
    if (!lifecycle || collecting) return;
    collecting = true;
    clock.setTimeout(() => {
      collecting = false;
      collectGarbage(revisions, served);
    }, lifecycle.collectAfter);
  };
  const onWrite = ({ after }: Revision) => {
    for (const replica of replicas) replica.receive(revisions.version);
    if (!after || after.metadata?.ownerReferences?.length) collect();
  };
  const createWritesOf = lifecycle ? createLifecycleWrites : createWrites;
  const served = options.resources.map(({ resource, builtIn = resource.group === "" }) => ({
    resource,
    builtIn,
    writes: createWritesOf(revisions, resource, { clock, onWrite }),
  }));
  const rules = { watchList, bookmarkEvery, expireInStream: () => random.chance(0.5) };

  function route({ path, query = {}, headers = {}, signal }: TransportRequest) {
    const [, namespace = "", plural = "", name, subresource] =
      /^\/(?:api|apis\/[^/]+)\/[^/]+(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(
        path,
      ) ?? [];
    const target = served.find(({ resource }) => resource.plural === plural);
    if (!target) throw refusal(404, "NotFound", "the server could not find the requested resource");
    const metadataOnly = (headers.accept ?? headers.Accept ?? "").includes("as=PartialObjectMetadata");
    const encoding = encodingOf(target.resource, target.builtIn, metadataOnly);
    const replica = random.pick(replicas);
    const reading: Reading = {
      plural,
      namespace,
      query,
      replica,
      revisions,
      encoding,
      clock,
      expireTokens,
      signal,
    };
    return { ...target, reading, name, subresource };
  }

  async function answer(request: TransportRequest): Promise<TransportResponse<Uint8Array>> {
    request.signal?.throwIfAborted();
    const { reading, writes, name, subresource } = route(request);
    const { plural, namespace, encoding } = reading;
    const respond = (object: SimulatedObject, status = 200) => response(encoding.object(object), status);
    if (name === undefined) {
      if (request.method === "POST") return respond(writes.create(inNamespace(request.body, namespace)), 201);
      return response(await answerList(reading));
    }
    switch (request.method) {
      case "GET": {
        const object = revisions.get(plural, keyFor(namespace, name));
        if (!object) throw notFound(plural, name);
        return respond(object);
      }
      case "PUT":
        return respond(writes.update(inNamespace(request.body, namespace), subresource === "status"));
      case "PATCH":
        return respond(writes.mergePatch(namespace, name, parse(request.body), subresource === "status"));
      case "DELETE": {
        const { preconditions } = (parse(request.body) ?? {}) as { preconditions?: Preconditions };
        return respond(writes.delete(namespace, name, preconditions));
      }
      default:
        throw refusal(
          405,
          "MethodNotAllowed",
          "the server does not allow this method on the requested resource",
        );
    }
  }

  return {
    revisions,
    replicas,
    writes(resource) {
      const target = served.find((candidate) => candidate.resource.plural === resource.plural);
      if (!target) throw new RangeError(`this server has no ${resource.plural}: add them to its resources`);
      return target.writes;
    },
    truth(resource, { namespace = "", labelSelector = "" } = {}) {
      const matches: Matches = selectionOf(namespace, { labelSelector });
      return revisions.list(resource.plural).filter(matches);
    },
    bookmark() {
      for (const watch of watching) watch.bookmark();
    },
    get watching() {
      return watching.size;
    },
    request: answer,
    async stream(request) {
      request.signal?.throwIfAborted();
      const { reading, name } = route(request);
      if (name !== undefined)
        throw refusal(400, "BadRequest", "this server streams watches of collections alone");
      let closed = false;
      let watch: Watching | undefined;
      watch = await openWatch(reading, rules, () => {
        closed = true;
        if (watch) watching.delete(watch);
      });
      if (!closed) watching.add(watch);
      return { status: 200, headers: jsonHeaders, body: watch.body };
    },
    async close() {},
  };
}

const jsonHeaders = { "content-type": "application/json" };

function response(body: Uint8Array, status = 200): TransportResponse<Uint8Array> {
  return { status, headers: jsonHeaders, body };
}

function parse(body: unknown): unknown {
  return body instanceof Uint8Array ? JSON.parse(Buffer.from(body).toString("utf8")) : body;
}

/** A copy, like one that arrived over the wire. */
function inNamespace(body: unknown, namespace: string): SimulatedObject {
  const object = structuredClone(parse(body)) as SimulatedObject;
  return namespace === "" ? object : { ...object, metadata: { ...object.metadata, namespace } };
}
