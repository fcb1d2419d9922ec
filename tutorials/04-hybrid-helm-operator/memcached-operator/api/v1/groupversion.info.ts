/**
 * The group and version of the types in this folder.
 *
 * +kubebuilder:object:generate=true
 * +groupName=cache.my.domain
 */
export const groupVersion = { group: "cache.my.domain", version: "v1" };
