// Package scaffold has the first two reconcile functions of part 1, in Go.
package scaffold

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// MemcachedReconciler logs that it was called.
type MemcachedReconciler struct {
	client.Client
}

// Reconcile is called for each changed Memcached.
func (r *MemcachedReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	// your logic here
	log.FromContext(ctx).Info("great, the Reconcile is really triggered!")

	return ctrl.Result{}, nil
}
