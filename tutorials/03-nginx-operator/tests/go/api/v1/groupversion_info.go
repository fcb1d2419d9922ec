// Package v1 has the API group tutorials.ovhcloud.com, version v1.
// +kubebuilder:object:generate=true
// +groupName=tutorials.ovhcloud.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is the group and version of the types in this folder.
var GroupVersion = schema.GroupVersion{Group: "tutorials.ovhcloud.com", Version: "v1"}

// AddToScheme makes the types known to a client.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &OvhNginx{}, &OvhNginxList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}
