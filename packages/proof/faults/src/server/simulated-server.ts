import type { Clock, Resource, Transport, TransportRequest, TransportResponse } from "@operator-path/client";
import type { Random } from "../random.ts";
import { collectGarbage } from "./collect-garbage.ts";
import { encodingOf } from "./encoding.ts";
import { createLifecycleWrites } from "./lifecycle-writes.ts";
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
  /** Decides which replica answers, and how a forgotten version is told of. */
  random: Random;
  resources: { resource: Resource; builtIn?: boolean }[];
  /** What becomes of `sendInitialEvents`. Default "offered". */
  watchList?: "offered" | "refused" | "ignored";
  /** Continue tokens are too old whenever they are used, as where etcd is compacted all the time. */
  expireTokens?: boolean;
  /** Default 1. */
  replicas?: number;
  /** Milliseconds. Default 60,000. */
  bookmarkEvery?: number;
  /**
   * For operators: finalizers, generations and statuses are as a kube-apiserver has them, and what has lost its owners is
   * deleted so many milliseconds later. Default: every write makes a version, and a deletion is one.
   */
  lifecycle?: { collectAfter: number };
}

/**
 * An API server in memory, and the truth by which caches are judged. It answers at once and breaks nothing: for faults,
 * put `createFaultyTransport` before it.
 *
 * Promises: one version over all resources; lists in pages of one version; watches from any version that is not
 * forgotten, with bookmarks and initial events; compare-and-set and preconditions; the words of a real server where
 * clients read them. Does not promise: schemas, other selectors than `a=b`, fields, tables, patches but merge patches.
 */
export interface SimulatedServer extends Transport {
  readonly revisions: Revisions;
  readonly replicas: readonly Replica[];
  /** Writes of a test, past all faults. */
  writes(resource: Resource): Writes;
  /** What a list of everything that matches would show. */
  truth(resource: Resource, selection?: { namespace?: string; labelSelector?: string }): SimulatedObject[];
  /** Every open watch hears a bookmark. */
  bookmark(): void;
  /** Streams that are open. */
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
    for (const replica of replicas) replica.hear(revisions.version);
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
      if (!target) throw new RangeError(`${resource.plural} are not among the resources of this server`);
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

/** A copy, as of what came over the wire. */
function inNamespace(body: unknown, namespace: string): SimulatedObject {
  const object = structuredClone(parse(body)) as SimulatedObject;
  return namespace === "" ? object : { ...object, metadata: { ...object.metadata, namespace } };
}
