/**
 * The group and version of the types in this folder.
 *
 * +kubebuilder:object:generate=true
 * +groupName=web.example.com
 */
export const groupVersion = { group: "web.example.com", version: "v1" };
