/**
 * The group and version of the types in this folder.
 *
 * +kubebuilder:object:generate=true
 * +groupName=tutorials.ovhcloud.com
 */
export const groupVersion = { group: "tutorials.ovhcloud.com", version: "v1" };
