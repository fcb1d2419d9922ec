// Package controllers has the server-side apply of page 3, in Go.
package controllers

import (
	"context"

	appsv1ac "k8s.io/client-go/applyconfigurations/apps/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "github.com/example/memcached-operator/versions/v1"
)

// applyDeployment takes back fields that others have changed.
func applyDeployment(ctx context.Context, c client.Client, m *v1.Memcached) error {
	deployment := appsv1ac.Deployment(m.Name, m.Namespace).
		WithSpec(appsv1ac.DeploymentSpec().
			WithReplicas(m.Spec.Replicas))
	return c.Apply(ctx, deployment, client.FieldOwner("memcached-operator"), client.ForceOwnership)
}

var _ = applyDeployment
