import { type Manager, newWebhookManagedBy } from "@operator-path/controller-runtime";
import { setDefaults } from "./memcached.defaults.ts";
import { checkUpdate } from "./memcached.rules.ts";
import { memcacheds } from "./zz_generated.resources.ts";

// +kubebuilder:webhook:path=/mutate-cache-example-com-v1alpha1-memcached,mutating=true,failurePolicy=fail,sideEffects=None,groups=cache.example.com,resources=memcacheds,verbs=create;update,versions=v1alpha1,name=mmemcached-v1alpha1.kb.io,admissionReviewVersions=v1

// To check deletions too, add delete to verbs, and validateDelete below.
// +kubebuilder:webhook:path=/validate-cache-example-com-v1alpha1-memcached,mutating=false,failurePolicy=fail,sideEffects=None,groups=cache.example.com,resources=memcacheds,verbs=create;update,versions=v1alpha1,name=vmemcached-v1alpha1.kb.io,admissionReviewVersions=v1

/** Registers the webhooks that the API server calls. */
export function setupWebhookWithManager(manager: Manager): void {
  newWebhookManagedBy(manager)
    .for(memcacheds)
    .withDefaulter(setDefaults)
    .withValidator({ validateUpdate: checkUpdate })
    .complete();
}
