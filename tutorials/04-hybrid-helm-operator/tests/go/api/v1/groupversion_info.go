// Package v1 has the API group cache.my.domain, version v1.
// +kubebuilder:object:generate=true
// +groupName=cache.my.domain
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is what the types of this folder belong to.
var GroupVersion = schema.GroupVersion{Group: "cache.my.domain", Version: "v1"}

// AddToScheme makes the types known to a client.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &MemcachedBackup{}, &MemcachedBackupList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}
