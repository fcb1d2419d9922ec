// Command memcached-operator starts the manager with the controller of part 2. Read it beside src/main.ts.
package main

import (
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	cachev1alpha1 "github.com/example/memcached-operator/api/v1alpha1"
	"github.com/example/memcached-operator/controllers"
)

var scheme = runtime.NewScheme()

func init() {
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(cachev1alpha1.AddToScheme(scheme))
}

func main() {
	ctrl.SetLogger(zap.New())
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Scheme: scheme,
		Cache:  cache.Options{DefaultNamespaces: watchNamespaces()},
	})
	exitOn(err)

	exitOn((&controllers.MemcachedReconciler{
		Client: mgr.GetClient(),
		Scheme: mgr.GetScheme(),
	}).SetupWithManager(mgr))

	exitOn(mgr.Start(ctrl.SetupSignalHandler()))
}

// watchNamespaces returns nil, which means all namespaces, if WATCH_NAMESPACE is not set.
func watchNamespaces() map[string]cache.Config {
	if namespace := os.Getenv("WATCH_NAMESPACE"); namespace != "" {
		return map[string]cache.Config{namespace: {}}
	}
	return nil
}

func exitOn(err error) {
	if err != nil {
		ctrl.Log.Error(err, "the manager ended")
		os.Exit(1)
	}
}
