package controllers

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	tutorialsv1 "github.com/lostinbrittany/nginx-operator/api/v1"
)

// reconcileDeployment creates the Deployment of an OvhNginx, or updates it if it differs from the spec.
func (r *OvhNginxReconciler) reconcileDeployment(ctx context.Context, ovhNginx *tutorialsv1.OvhNginx) (*appsv1.Deployment, error) {
	log := ctrl.LoggerFrom(ctx)
	wanted := deploymentFor(ovhNginx)
	if err := ctrl.SetControllerReference(ovhNginx, wanted, r.Scheme); err != nil {
		return nil, err
	}

	found := &appsv1.Deployment{}
	err := r.Get(ctx, client.ObjectKeyFromObject(ovhNginx), found)
	if apierrors.IsNotFound(err) {
		log.Info("✨ Creating a new Deployment", "Deployment.Namespace", wanted.Namespace, "Deployment.Name", wanted.Name)
		return wanted, r.Create(ctx, wanted)
	}
	if err != nil {
		return nil, err
	}
	if !metav1.IsControlledBy(found, ovhNginx) {
		return nil, errOtherOwner("Deployment", ovhNginx.Name)
	}

	before := found.DeepCopy()
	found.Spec.Replicas = &ovhNginx.Spec.ReplicaCount
	for i := range found.Spec.Template.Spec.Containers {
		if container := &found.Spec.Template.Spec.Containers[i]; container.Name == "nginx" {
			container.Image = wanted.Spec.Template.Spec.Containers[0].Image
		}
	}
	if equality.Semantic.DeepEqual(before.Spec, found.Spec) {
		return found, nil
	}
	log.Info("updating the Deployment")
	return found, r.Update(ctx, found)
}

// deploymentFor returns the Deployment that an OvhNginx asks for.
func deploymentFor(ovhNginx *tutorialsv1.OvhNginx) *appsv1.Deployment {
	labels := labelsFor(ovhNginx)
	container := nginx(ovhNginx)
	container.Ports = []corev1.ContainerPort{{Name: "http", ContainerPort: containerPort}}
	return &appsv1.Deployment{
		ObjectMeta: metadataFor(ovhNginx),
		Spec: appsv1.DeploymentSpec{
			Replicas: &ovhNginx.Spec.ReplicaCount,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{container}},
			},
		},
	}
}

// containerPort is the port that nginx listens on in its Pod. The image sets it.
const containerPort = 8080

// nginx returns the container that runs nginx.
func nginx(ovhNginx *tutorialsv1.OvhNginx) corev1.Container {
	return corev1.Container{
		Name:  "nginx",
		Image: "nginxinc/nginx-unprivileged:" + ovhNginx.Spec.Version,
		ReadinessProbe: &corev1.Probe{
			ProbeHandler: corev1.ProbeHandler{
				HTTPGet: &corev1.HTTPGetAction{Path: "/", Port: intstr.FromInt32(containerPort)},
			},
			PeriodSeconds: 1,
		},
		SecurityContext: &corev1.SecurityContext{
			RunAsNonRoot:             ptr.To(true),
			AllowPrivilegeEscalation: ptr.To(false),
			Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
			SeccompProfile:           &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
		},
	}
}
