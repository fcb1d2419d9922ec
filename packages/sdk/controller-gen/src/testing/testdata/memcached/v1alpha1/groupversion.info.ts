/**
 * API Schema definitions for the cache v1alpha1 API group.
 *
 * +kubebuilder:object:generate=true
 * +groupName=cache.example.com
 */
export const groupVersion = { group: "cache.example.com", version: "v1alpha1" };
