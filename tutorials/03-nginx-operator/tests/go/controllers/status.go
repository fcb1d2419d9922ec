package controllers

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	tutorialsv1 "github.com/lostinbrittany/nginx-operator/api/v1"
)

// setStatus reports what a Deployment and a Service look like.
func setStatus(status *tutorialsv1.OvhNginxStatus, deployment *appsv1.Deployment, service *corev1.Service) {
	status.ReadyReplicas = deployment.Status.ReadyReplicas
	status.Address = ""
	if ingress := service.Status.LoadBalancer.Ingress; len(ingress) > 0 {
		status.Address = ingress[0].IP
		if status.Address == "" {
			status.Address = ingress[0].Hostname
		}
	}
}

// setAvailable sets the condition Available.
func setAvailable(ovhNginx *tutorialsv1.OvhNginx) {
	ready, wanted := ovhNginx.Status.ReadyReplicas, ovhNginx.Spec.ReplicaCount
	condition := metav1.Condition{
		Type:               "Available",
		Status:             metav1.ConditionTrue,
		Reason:             "AllReady",
		Message:            fmt.Sprintf("%d of %d Pods are ready", ready, wanted),
		ObservedGeneration: ovhNginx.Generation,
	}
	if ready < wanted {
		condition.Status, condition.Reason = metav1.ConditionFalse, "PodsMissing"
	}
	meta.SetStatusCondition(&ovhNginx.Status.Conditions, condition)
}
