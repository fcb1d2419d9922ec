package v1

import (
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// WorkloadSpec embeds what Kubernetes has.
type WorkloadSpec struct {
	// Template is a Pod's.
	Template   corev1.PodTemplateSpec            `json:"template"`
	Containers []corev1.Container                `json:"containers,omitempty"`
	Resources  corev1.ResourceRequirements       `json:"resources,omitempty"`
	Limits     corev1.ResourceList               `json:"limits,omitempty"`
	Selector   *metav1.LabelSelector             `json:"selector,omitempty"`
	Secret     corev1.SecretKeySelector          `json:"secret"`
	Reference  corev1.LocalObjectReference       `json:"reference,omitempty"`
	Objects    []corev1.ObjectReference          `json:"objects,omitempty"`
	Affinity   *corev1.Affinity                  `json:"affinity,omitempty"`
	Tolerate   []corev1.Toleration               `json:"tolerate,omitempty"`
	Spread     []corev1.TopologySpreadConstraint `json:"spread,omitempty"`
	Env        []corev1.EnvVar                   `json:"env,omitempty"`
	Volumes    []corev1.Volume                   `json:"volumes,omitempty"`
	Claim      corev1.PersistentVolumeClaimSpec  `json:"claim,omitempty"`
	Security   *corev1.SecurityContext           `json:"security,omitempty"`
	Probe      *corev1.Probe                     `json:"probe,omitempty"`
	Pull       corev1.PullPolicy                 `json:"pull,omitempty"`
	Protocol   corev1.Protocol                   `json:"protocol,omitempty"`
	Service    corev1.ServiceSpec                `json:"service,omitempty"`
	Ingress    networkingv1.IngressSpec          `json:"ingress,omitempty"`
	Peers      []networkingv1.NetworkPolicyPeer  `json:"peers,omitempty"`
	Budget     policyv1.PodDisruptionBudgetSpec  `json:"budget,omitempty"`
	Rules      []rbacv1.PolicyRule               `json:"rules,omitempty"`
	Metrics    []autoscalingv2.MetricSpec        `json:"metrics,omitempty"`
	Strategy   appsv1.DeploymentStrategy         `json:"strategy,omitempty"`
	// Metadata of what is made.
	Metadata metav1.ObjectMeta `json:"metadata,omitempty"`
	// +kubebuilder:default="1Gi"
	Size resource.Quantity `json:"size,omitempty"`
	// +kubebuilder:validation:XIntOrString
	// +kubebuilder:validation:Pattern=`^[0-9]+%?$`
	Surge   intstr.IntOrString   `json:"surge,omitempty"`
	Port    *intstr.IntOrString  `json:"port,omitempty"`
	Timeout metav1.Duration      `json:"timeout,omitempty"`
	Raw     runtime.RawExtension `json:"raw,omitempty"`
	JSON    apiextensionsv1.JSON `json:"json,omitempty"`
}

type WorkloadStatus struct {
	// Conditions tell how it is.
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	Started    *metav1.Time       `json:"started,omitempty"`
	Seen       metav1.MicroTime   `json:"seen,omitempty"`
}

// Workload runs.
// +kubebuilder:subresource:status
type Workload struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WorkloadSpec   `json:"spec,omitempty"`
	Status WorkloadStatus `json:"status,omitempty"`
}
