// Package controllers has the controller of part 2 in Go. Read it beside memcached.controller.ts.
package controllers

import (
	"context"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	cachev1alpha1 "github.com/example/memcached-operator/api/v1alpha1"
)

// MemcachedReconciler brings the cluster closer to what one Memcached asks for.
type MemcachedReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds,verbs=list;watch
// +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds/status,verbs=update
// +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=list;watch;create;update
// +kubebuilder:rbac:groups=core,resources=pods,verbs=list;watch

// Reconcile is called for each Memcached with a change.
func (r *MemcachedReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	log := ctrl.LoggerFrom(ctx)

	memcached := &cachev1alpha1.Memcached{}
	err := r.Get(ctx, req.NamespacedName, memcached)
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	// The garbage collector deletes what a deleted Memcached owned.
	if err != nil || !memcached.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	size := memcached.Spec.Size

	deployment := &appsv1.Deployment{}
	err = r.Get(ctx, req.NamespacedName, deployment)
	if apierrors.IsNotFound(err) {
		deployment, err = r.deploymentFor(memcached)
		if err != nil {
			return ctrl.Result{}, err
		}
		if err := r.Create(ctx, deployment); err != nil {
			return ctrl.Result{}, err
		}
		log.Info("created a Deployment", "size", size)
		return ctrl.Result{}, nil
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	if !metav1.IsControlledBy(deployment, memcached) {
		return ctrl.Result{}, fmt.Errorf("deployment %s has another owner or none: delete it, or rename the Memcached", req.Name)
	}

	if replicas := ptr.Deref(deployment.Spec.Replicas, 1); replicas != size {
		deployment.Spec.Replicas = &size
		if err := r.Update(ctx, deployment); err != nil {
			return ctrl.Result{}, err
		}
		log.Info("scaled the Deployment", "from", replicas, "to", size)
		return ctrl.Result{}, nil
	}

	pods := &corev1.PodList{}
	err = r.List(ctx, pods, client.InNamespace(req.Namespace), client.MatchingLabels(labelsFor(req.Name)))
	if err != nil {
		return ctrl.Result{}, err
	}
	nodes := []string{}
	for _, pod := range pods.Items {
		nodes = append(nodes, pod.Name)
	}
	slices.Sort(nodes)
	if memcached.Status.Nodes == nil || !slices.Equal(nodes, memcached.Status.Nodes) {
		memcached.Status.Nodes = nodes
		if err := r.Status().Update(ctx, memcached); err != nil {
			return ctrl.Result{}, err
		}
		log.Info("wrote status.nodes", "nodes", len(nodes))
	}
	return ctrl.Result{}, nil
}

func (r *MemcachedReconciler) deploymentFor(memcached *cachev1alpha1.Memcached) (*appsv1.Deployment, error) {
	labels := labelsFor(memcached.Name)
	deployment := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: memcached.Namespace, Name: memcached.Name},
		Spec: appsv1.DeploymentSpec{
			Replicas: &memcached.Spec.Size,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{
					Containers: []corev1.Container{{
						Name:    "memcached",
						Image:   "memcached:1.6.39-alpine",
						Command: []string{"memcached", "--memory-limit=64", "-o", "modern", "-v"},
						Ports:   []corev1.ContainerPort{{Name: "memcached", ContainerPort: 11211}},
						SecurityContext: &corev1.SecurityContext{
							RunAsNonRoot:             ptr.To(true),
							RunAsUser:                ptr.To[int64](11211),
							AllowPrivilegeEscalation: ptr.To(false),
							Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
							SeccompProfile:           &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
						},
					}},
				},
			},
		},
	}
	return deployment, ctrl.SetControllerReference(memcached, deployment, r.Scheme)
}

// labelsFor returns the labels of a Memcached's Pods.
func labelsFor(name string) map[string]string {
	return map[string]string{"app": "memcached", "memcached_cr": name}
}

// memcachedOf returns the request for the Memcached that a Pod's labels name.
func memcachedOf(_ context.Context, pod client.Object) []ctrl.Request {
	name, ok := pod.GetLabels()["memcached_cr"]
	if !ok {
		return nil
	}
	return []ctrl.Request{{NamespacedName: types.NamespacedName{Namespace: pod.GetNamespace(), Name: name}}}
}

// SetupWithManager adds the controller, with everything that it watches, to a manager.
func (r *MemcachedReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&cachev1alpha1.Memcached{}).
		Owns(&appsv1.Deployment{}).
		Watches(
			&corev1.Pod{},
			handler.EnqueueRequestsFromMapFunc(memcachedOf),
			builder.WithPredicates(predicate.LabelChangedPredicate{}),
		).
		Complete(r)
}
