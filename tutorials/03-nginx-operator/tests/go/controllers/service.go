package controllers

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	tutorialsv1 "github.com/lostinbrittany/nginx-operator/api/v1"
)

// reconcileService creates the Service of an OvhNginx, or updates it if it differs from the spec.
func (r *OvhNginxReconciler) reconcileService(ctx context.Context, ovhNginx *tutorialsv1.OvhNginx) (*corev1.Service, error) {
	log := ctrl.LoggerFrom(ctx)
	service := &corev1.Service{ObjectMeta: metadataFor(ovhNginx)}
	err := r.Get(ctx, client.ObjectKeyFromObject(ovhNginx), service)
	missing := apierrors.IsNotFound(err)
	if err != nil && !missing {
		return nil, err
	}
	if !missing && !metav1.IsControlledBy(service, ovhNginx) {
		return nil, errOtherOwner("Service", ovhNginx.Name)
	}

	before := service.DeepCopy()
	service.Spec.Type = corev1.ServiceTypeLoadBalancer
	service.Spec.Selector = labelsFor(ovhNginx)
	// The node port that the cluster has chosen stays.
	if len(service.Spec.Ports) != 1 {
		service.Spec.Ports = []corev1.ServicePort{{Protocol: corev1.ProtocolTCP}}
	}
	port := &service.Spec.Ports[0]
	port.Name, port.Port, port.TargetPort = "http", ovhNginx.Spec.Port, intstr.FromString("http")

	if missing {
		if err := ctrl.SetControllerReference(ovhNginx, service, r.Scheme); err != nil {
			return nil, err
		}
		log.Info("✨ Creating a new Service", "Service.Namespace", service.Namespace, "Service.Name", service.Name)
		return service, r.Create(ctx, service)
	}
	if equality.Semantic.DeepEqual(before.Spec, service.Spec) {
		return service, nil
	}
	log.Info("updating the Service")
	return service, r.Update(ctx, service)
}
