// +groupName=presence.example.com
// +versionName=v1beta2
// +kubebuilder:validation:Optional
export const groupVersion = { group: "presence.example.com", version: "v1beta2" };
