package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// OvhNginxSpec defines the desired state of OvhNginx
type OvhNginxSpec struct {
	// replicaCount is the number of replicas for the Nginx Pods
	// +kubebuilder:validation:Minimum=0
	ReplicaCount int32 `json:"replicaCount"`
	// port is the exposed port for the Nginx server
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	Port int32 `json:"port"`
	// version is the version of Nginx
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$`
	// +kubebuilder:default="1.29-alpine"
	// +optional
	Version string `json:"version,omitempty"`
}

// OvhNginxStatus defines the observed state of OvhNginx
type OvhNginxStatus struct {
	// readyReplicas is the number of Pods that serve the page
	ReadyReplicas int32 `json:"readyReplicas"`
	// address is where the load balancer listens. It is missing while there is no load balancer.
	// +optional
	Address string `json:"address,omitempty"`
	// conditions report the state in the way of Kubernetes' own objects
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// OvhNginx is the Schema for the ovhnginxes API
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicaCount,statuspath=.status.readyReplicas
// +kubebuilder:printcolumn:name=Ready,type=integer,JSONPath=".status.readyReplicas"
// +kubebuilder:printcolumn:name=Address,type=string,JSONPath=".status.address"
type OvhNginx struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec OvhNginxSpec `json:"spec"`
	// +optional
	Status OvhNginxStatus `json:"status,omitempty"`
}

// OvhNginxList is a list of OvhNginxes.
// +kubebuilder:object:root=true
type OvhNginxList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []OvhNginx `json:"items"`
}
