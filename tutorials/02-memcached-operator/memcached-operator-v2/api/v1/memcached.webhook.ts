import { type Manager, newWebhookManagedBy } from "@operator-path/controller-runtime";
import { converter } from "./memcached.conversion.ts";
import { memcacheds } from "./zz_generated.resources.ts";

/** Registers the webhooks that the API server calls. */
export function setupWebhookWithManager(manager: Manager): void {
  newWebhookManagedBy(manager).for(memcacheds).withConverter(converter).complete();
}
