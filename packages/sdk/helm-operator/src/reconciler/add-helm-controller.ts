import {
  annotationChanged,
  type Controller,
  createObjectClient,
  generationChanged,
  labelChanged,
  labelSelectorPredicate,
  type Manager,
  newControllerManagedBy,
  or,
} from "@operator-path/controller-runtime";
import { exponentialFailureRateLimiter } from "@operator-path/informers";
import { createDrift } from "../drift/create-drift.ts";
import { mapperOf } from "../resources/resource-mapper.ts";
import {
  createDependents,
  dependentsReader,
  enqueueRequestForRelease,
  isReleaseSecret,
  releaseSecrets,
} from "./dependents.ts";
import { type HelmControllerOptions, helmSettings } from "./options.ts";
import { helmReconciler } from "./reconciler.ts";

/**
 * Adds a controller to a manager. It keeps one Helm release for each object of a kind (Go:
 * reconciler.SetupWithManager). The manager may run other controllers, too.
 *
 * @returns the controller, which starts with its manager
 * @throws RangeError or TypeError naming the invalid option; Error when a controller of that name exists
 */
export function addHelmController(manager: Manager, options: HelmControllerOptions): Controller {
  const settings = helmSettings(options);
  const { resource, selector, maxConcurrentReconciles, watchDependentResources } = settings;
  const name = settings.name ?? `${resource.kind.toLowerCase()}-helm`;
  const mapper = mapperOf(manager, resource);
  const { cache, connection, apiReader, clock } = manager;
  const client = createObjectClient(connection, { scheme: mapper.scheme, cache: { reader: cache } });
  const dependents = watchDependentResources
    ? createDependents(cache, resource, () => controller)
    : undefined;

  const reconciler = helmReconciler({
    ...{ settings, client, apiReader, mapper, dependents, clock },
    // Without watches of dependents nothing caches them, so drift reads from the server.
    drift: createDrift({
      ...{ client, connection, mapper, clock, log: settings.log ?? manager.log },
      reader: dependents ? dependentsReader(client, apiReader) : apiReader,
    }),
    events: settings.eventRecorder ?? manager.eventRecorderFor(name),
  });
  const isNews = or(generationChanged, labelChanged, annotationChanged);
  const controller = newControllerManagedBy(manager)
    .named(name)
    .withOptions({
      maxConcurrentReconciles,
      rateLimiter: exponentialFailureRateLimiter(settings.retryDelays),
    })
    .for(resource, { predicates: [isNews, ...(selector ? [labelSelectorPredicate(selector)] : [])] })
    .watches(releaseSecrets, enqueueRequestForRelease, { predicates: [isReleaseSecret] })
    .build(reconciler);
  return controller;
}
