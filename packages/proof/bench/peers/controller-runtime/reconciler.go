package main

import (
	"context"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type reconciler struct {
	client.Client
	progress *progress
}

// Reconcile is that of operator.ts, line by line: a Deployment and a headless Service, owned; Pods from the cache; the status.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	r.progress.reconciled()
	memcached := &Memcached{}
	if err := r.Get(ctx, request.NamespacedName, memcached); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	labels := map[string]string{"app": memcached.Name}

	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: request.Namespace, Name: request.Name}}
	result, err := controllerutil.CreateOrUpdate(ctx, r.Client, deployment, func() error {
		if deployment.CreationTimestamp.IsZero() {
			deployment.Spec = deploymentSpec(labels)
		}
		deployment.Spec.Replicas = &memcached.Spec.Size
		return controllerutil.SetControllerReference(memcached, deployment, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	r.progress.operation(result)

	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: request.Namespace, Name: request.Name}}
	result, err = controllerutil.CreateOrUpdate(ctx, r.Client, service, func() error {
		if service.CreationTimestamp.IsZero() {
			service.Spec = serviceSpec()
		}
		service.Spec.Selector = labels
		return controllerutil.SetControllerReference(memcached, service, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	r.progress.operation(result)

	pods := &corev1.PodList{}
	if err := r.List(ctx, pods, client.InNamespace(request.Namespace), client.MatchingLabels(labels)); err != nil {
		return ctrl.Result{}, err
	}
	var nodes []string
	for _, pod := range pods.Items {
		nodes = append(nodes, pod.Name)
	}
	if slices.Equal(nodes, memcached.Status.Nodes) && memcached.Status.ObservedGeneration == memcached.Generation {
		return ctrl.Result{}, nil
	}
	memcached.Status = memcachedStatus{Nodes: nodes, ObservedGeneration: memcached.Generation}
	if err := r.Status().Update(ctx, memcached); err != nil {
		return ctrl.Result{}, err
	}
	r.progress.finished(request.String())
	return ctrl.Result{}, nil
}

func deploymentSpec(labels map[string]string) appsv1.DeploymentSpec {
	return appsv1.DeploymentSpec{
		Selector: &metav1.LabelSelector{MatchLabels: labels},
		Template: corev1.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{Labels: labels},
			Spec: corev1.PodSpec{Containers: []corev1.Container{{
				Name:  "memcached",
				Image: "memcached:1.6",
				Ports: []corev1.ContainerPort{{Name: "memcached", ContainerPort: 11211}},
			}}},
		},
	}
}

func serviceSpec() corev1.ServiceSpec {
	return corev1.ServiceSpec{
		ClusterIP: corev1.ClusterIPNone,
		Ports:     []corev1.ServicePort{{Name: "memcached", Port: 11211}},
	}
}
