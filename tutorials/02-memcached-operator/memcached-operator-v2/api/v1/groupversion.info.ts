/**
 * The group and version of the types in this folder.
 *
 * +kubebuilder:object:generate=true
 * +groupName=cache.example.com
 */
export const groupVersion = { group: "cache.example.com", version: "v1" };
