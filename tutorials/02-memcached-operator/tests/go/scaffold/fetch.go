package scaffold

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	cachev1alpha1 "github.com/example/memcached-operator/api/v1alpha1"
)

// Fetcher reads the Memcached that a request names.
type Fetcher struct {
	client.Client
}

// Reconcile logs the size of a Memcached that exists.
func (r *Fetcher) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	memcached := &cachev1alpha1.Memcached{}
	if err := r.Get(ctx, req.NamespacedName, memcached); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	log.FromContext(ctx).Info("great, the Reconcile is really triggered!", "size", memcached.Spec.Size)
	return ctrl.Result{}, nil
}
