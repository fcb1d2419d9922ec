package controllers

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	tutorialsv1 "github.com/lostinbrittany/nginx-operator/api/v1"
)

// labelsFor returns the labels of an OvhNginx's Pods.
func labelsFor(ovhNginx *tutorialsv1.OvhNginx) map[string]string {
	return map[string]string{"app": "nginx", "ovhnginx_cr": ovhNginx.Name}
}

// metadataFor returns the metadata of each object that the operator creates for an OvhNginx.
func metadataFor(ovhNginx *tutorialsv1.OvhNginx) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Namespace: ovhNginx.Namespace,
		Name:      ovhNginx.Name,
		Labels:    labelsFor(ovhNginx),
	}
}

func errOtherOwner(kind, name string) error {
	return fmt.Errorf("%s %s has another owner or none: delete it, or rename the OvhNginx", kind, name)
}
