import { randomUUID } from "node:crypto";
import { type Clock, type KubeConfig, systemClock } from "@operator-path/client";
import { createServingCertificate } from "@operator-path/client/certificates";
import { customDocument } from "./apiextensions/openapi/document.ts";
import { bootstrap } from "./bootstrap.ts";
import { asksForStream, createStreamHandler } from "./kinds/core/pod/stream.ts";
import { createHandlers } from "./kinds/handlers.ts";
import { rbacGroup } from "./kinds/rbac/policy-rule.ts";
import { kubeConfigOf, kubeconfigYaml } from "./kubeconfig.ts";
import { startTimer } from "./lib/clock.ts";
import { createAdmissionPlugins } from "./plugins/admission/plugins.ts";
import type { Level as PodSecurityLevel } from "./plugins/admission/pod-security/policy.ts";
import { createRbac } from "./plugins/rbac/rbac.ts";
import { createServedKinds, createServedTypes } from "./served-kinds.ts";
import { createAdmission } from "./server/admission/chain.ts";
import { createWebhookClient, type ResolveService } from "./server/admission/webhooks/client.ts";
import { type AccessAttributes, type Authorizer, accessDenied } from "./server/auth/authorizer.ts";
import { createToken, createTokenAuthenticator } from "./server/auth/tokens.ts";
import { createRestApi } from "./server/endpoints/api.ts";
import { accessAttributes, createRequestAuthorizer } from "./server/endpoints/authorize.ts";
import { deleteAll } from "./server/endpoints/delete.ts";
import type { RequestLimits } from "./server/http/in-flight.ts";
import { inClusterNames } from "./server/http/loopback.ts";
import type { ApiRequest } from "./server/http/request.ts";
import { createRoutes } from "./server/http/routes.ts";
import { startHttpServer } from "./server/http/server.ts";
import type { StrategyContext } from "./server/registry/strategy.ts";
import { expireEvents } from "./server/storage/expire-events.ts";
import { createStore, type Store, type StoreOptions } from "./server/storage/store.ts";
import type { DialService, NodeConnection } from "./server/streaming/node-connection.ts";

/**
 * A request as an observer sees it. `signal` aborts when its response has ended: a watch's when it closes.
 * `disconnect` breaks its connection.
 */
export type ObservedRequest = Pick<
  ApiRequest,
  "method" | "path" | "rawQuery" | "headers" | "user" | "signal" | "disconnect"
>;

export interface ApiServerOptions {
  /** Port on 127.0.0.1. Default: 0, a free one. A port that is taken rejects with node's EADDRINUSE. */
  port?: number;
  /** The administrator's bearer token. Default: 256 random bits. */
  token?: string;
  /** Default: the system's. */
  clock?: Clock;
  /** In [0, 1), for generated names and watch timeouts. Default: Math.random. */
  random?: () => number;
  /** Decides on every request. Default: the Roles and Bindings of the cluster (RBAC). */
  authorize?: Authorizer;
  /** Returns the node that runs a Pod, for logs, exec and attach. See also `ApiServer.connectNode`. */
  connectNode?: (nodeName: string) => NodeConnection | undefined;
  /** Resolves a Service for webhooks behind one. Default: no Service can be reached. */
  resolveService?: ResolveService;
  /**
   * Opens a byte stream to an endpoint of a Service, for services/x/proxy. Default: no Service can be
   * reached.
   */
  dialService?: DialService;
  /** Called with each authorized request before it is handled. Default: no observer. */
  onRequest?: (request: ObservedRequest) => void;
  /**
   * Returns true to refuse a request that RBAC permits, with the 403 that RBAC would send. Called before
   * `onRequest`, except for exec, attach and port-forward. Default: refuses none.
   */
  refuses?: (request: ObservedRequest, access: () => AccessAttributes) => boolean;
  /**
   * The Pod Security level of a namespace without a label. Default: `privileged`, which allows everything.
   */
  podSecurity?: PodSecurityLevel;
  /** Limits of the store: current objects, and the history for watches and chunked lists. */
  history?: StoreOptions;
  /** Limits of concurrent requests. */
  limits?: RequestLimits;
  /** Called with a line for each error of the server itself (a 500). Default: not called. */
  log?: (line: string) => void;
}

/**
 * A Kubernetes API server in this process.
 *
 * It promises what kubectl, helm and client libraries need: see README.md. It does not promise persistence,
 * or responses in protobuf.
 */
export interface ApiServer {
  /** `https://127.0.0.1:<port>` */
  url: string;
  port: number;
  /** PEM of the authority that signed the serving certificate. */
  caCertificate: string;
  token: string;
  kubeConfig(): KubeConfig;
  /** Returns the text of a kubeconfig file. It contains the token: write it with mode 0600. */
  kubeconfigYaml(): string;
  /** Sets the function that finds a node's connection. */
  connectNode(connect: (nodeName: string) => NodeConnection | undefined): void;
  /** Ends all requests and frees the port. */
  stop(): Promise<void>;
}

/** How often history is compacted, in milliseconds: the default of etcd and kube-apiserver. */
const compactionInterval = 5 * 60_000;

/** Starts a server with the default objects of a cluster. It answers as soon as this resolves. */
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const clock = options.clock ?? systemClock;
  const token = options.token ?? createToken();
  let connectNode = options.connectNode ?? (() => undefined);
  const store = createStore(options.history);
  // Created before anything is stored, because it follows the bindings.
  const rbac = createRbac({ store, clock, uuid: randomUUID });
  const authorize = options.authorize ?? rbac.authorize;
  const webhooks = createWebhookClient(clock, options.resolveService);
  const shared = {
    store,
    registry: createServedTypes(),
    kindOf: createServedKinds({ authorize, rbac, webhooks, uuid: randomUUID }),
    clock,
    random: options.random ?? Math.random,
    uuid: randomUUID,
    authorize,
    webhooks,
  };
  const strategyContext: StrategyContext = {
    ...shared,
    deleteCollection: (collection) => deleteAll(strategyContext, collection),
  };
  const context = {
    ...shared,
    ...strategyContext,
    rbac,
    admission: createAdmission(createAdmissionPlugins(options.podSecurity), shared),
    tokens: createTokenAuthenticator({ administrator: token, store, now: () => clock.now() }),
    connectNode: (nodeName: string) => connectNode(nodeName),
    dialService: options.dialService,
    customDocument,
    log: options.log ?? (() => {}),
    // The default Roles and bindings must be stored before the first request reads them.
    beforeAuthorizing({ group }: AccessAttributes) {
      if (group === rbacGroup) rbac.ensureDefaults();
    },
  };
  const api = createRestApi(context, createHandlers(context));
  const routes = createRoutes(context, api);
  const { onRequest, refuses } = options;
  // Real clients verify certificates by the machine's clock, whatever time the cluster has.
  const certificate = createServingCertificate(["localhost", "127.0.0.1", ...inClusterNames], Date.now());
  const server = await startHttpServer({
    certificate,
    port: options.port ?? 0,
    authenticate: (presented) => context.tokens.authenticate(presented),
    authorize: createRequestAuthorizer(context),
    handle(request) {
      const access = () => accessAttributes(request);
      if (refuses?.(request, access)) throw accessDenied(access());
      onRequest?.(request);
      return routes(request);
    },
    upgrades: asksForStream,
    upgrade: createStreamHandler(context, api.resolve),
    log: context.log,
    limits: options.limits,
  });
  await bootstrap(context, server.port);
  const stopCompaction = compactRegularly(store, clock);
  const stopExpiry = expireEvents(store, clock);
  const url = `https://127.0.0.1:${server.port}`;
  const access = { url, caCertificate: certificate.caCertificate, token };
  return {
    ...access,
    port: server.port,
    kubeConfig: () => kubeConfigOf(access),
    kubeconfigYaml: () => kubeconfigYaml(access),
    connectNode(connect) {
      connectNode = connect;
    },
    async stop() {
      stopCompaction();
      stopExpiry();
      await server.stop();
      context.webhooks.close();
    },
  };
}

/**
 * Compacts the store regularly. Within the store's limits, history stays for at least one interval and at
 * most two.
 */
function compactRegularly(store: Store, clock: Clock): () => void {
  let upTo = store.revision;
  let stop: () => void;
  const schedule = () => {
    stop = startTimer(clock, compactionInterval, () => {
      store.compact(upTo);
      upTo = store.revision;
      schedule();
    });
  };
  schedule();
  return () => stop();
}
