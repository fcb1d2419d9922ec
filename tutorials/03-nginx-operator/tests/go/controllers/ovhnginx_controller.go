// Package controllers has the controller of the pages in Go. Read it beside the files in controllers/.
package controllers

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	tutorialsv1 "github.com/lostinbrittany/nginx-operator/api/v1"
)

// Zone has names at a DNS provider, outside of the cluster.
type Zone interface {
	Set(ctx context.Context, name, address string) error
	Remove(ctx context.Context, name string) error
}

// While an OvhNginx has the finalizer, its name may be in the zone.
const finalizer = "tutorials.ovhcloud.com/name"

var ready = prometheus.NewGaugeVec(prometheus.GaugeOpts{
	Name: "ovhnginx_ready_replicas",
	Help: "Pods of an OvhNginx that serve the page.",
}, []string{"namespace", "name"})

func init() {
	metrics.Registry.MustRegister(ready)
}

// OvhNginxReconciler brings the cluster and the zone closer to what one OvhNginx asks for.
type OvhNginxReconciler struct {
	client.Client
	Scheme *runtime.Scheme
	Zone   Zone
}

// +kubebuilder:rbac:groups=tutorials.ovhcloud.com,resources=ovhnginxes,verbs=list;watch;update
// +kubebuilder:rbac:groups=tutorials.ovhcloud.com,resources=ovhnginxes/status,verbs=update
// +kubebuilder:rbac:groups=tutorials.ovhcloud.com,resources=ovhnginxes/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=list;watch;create;update
// +kubebuilder:rbac:groups=core,resources=services,verbs=list;watch;create;update

// Reconcile is called for each OvhNginx with a change.
func (r *OvhNginxReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ovhNginx := &tutorialsv1.OvhNginx{}
	if err := r.Get(ctx, req.NamespacedName, ovhNginx); err != nil {
		if client.IgnoreNotFound(err) == nil {
			ready.DeleteLabelValues(req.Namespace, req.Name)
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	name := req.Name + "." + req.Namespace
	if !ovhNginx.DeletionTimestamp.IsZero() {
		if !controllerutil.ContainsFinalizer(ovhNginx, finalizer) {
			return ctrl.Result{}, nil
		}
		if err := r.Zone.Remove(ctx, name); err != nil {
			return ctrl.Result{}, err
		}
		controllerutil.RemoveFinalizer(ovhNginx, finalizer)
		return ctrl.Result{}, r.Update(ctx, ovhNginx)
	}
	if controllerutil.AddFinalizer(ovhNginx, finalizer) {
		return ctrl.Result{}, r.Update(ctx, ovhNginx)
	}

	deployment, err := r.reconcileDeployment(ctx, ovhNginx)
	if err != nil {
		return ctrl.Result{}, err
	}
	service, err := r.reconcileService(ctx, ovhNginx)
	if err != nil {
		return ctrl.Result{}, err
	}

	before := ovhNginx.Status.DeepCopy()
	setStatus(&ovhNginx.Status, deployment, service)
	ready.WithLabelValues(req.Namespace, req.Name).Set(float64(ovhNginx.Status.ReadyReplicas))
	setAvailable(ovhNginx)
	if !equality.Semantic.DeepEqual(before, &ovhNginx.Status) {
		if err := r.Status().Update(ctx, ovhNginx); err != nil {
			return ctrl.Result{}, err
		}
	}
	// Comes after the status: a zone that fails must not keep the status out of date.
	if ovhNginx.Status.Address == "" {
		return ctrl.Result{}, r.Zone.Remove(ctx, name)
	}
	return ctrl.Result{}, r.Zone.Set(ctx, name, ovhNginx.Status.Address)
}

// SetupWithManager adds the controller, with everything that it watches, to a manager.
func (r *OvhNginxReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&tutorialsv1.OvhNginx{}).
		Owns(&appsv1.Deployment{}).
		Owns(&corev1.Service{}).
		Complete(r)
}
