// +groupName=presence.example.com
// +versionName=v1beta2
// +kubebuilder:validation:Optional
package v1
