// Package record plays seeded random histories on the workqueues of client-go and controller-runtime. It records the keys
// that they hand out and their length after each step.
package record

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
)

const histories = 400

// History is the sequence of steps of one queue.
type History struct {
	Queue string `json:"queue"`
	Steps []Step `json:"steps"`
}

// Step is an operation and its observed result. Times are in milliseconds.
type Step struct {
	Op          string  `json:"op"`
	Key         string  `json:"key,omitempty"`
	Priority    int     `json:"priority,omitempty"`
	After       float64 `json:"after,omitempty"`
	RateLimited bool    `json:"rateLimited,omitempty"`
	Advance     float64 `json:"advance,omitempty"`
	// Given contains "key priority" for each getter that returned, or "shut down", sorted.
	Given  []string `json:"given,omitempty"`
	Length int      `json:"length,omitempty"`
}

func TestRecord(t *testing.T) {
	random := rand.New(rand.NewSource(20261121))
	recorded := make([]History, histories)
	for i := range recorded {
		recorded[i].Queue = []string{"client-go", "controller-runtime"}[i%2]
		recorded[i].Steps = draw(random, recorded[i].Queue == "client-go")
		synctest.Test(t, func(t *testing.T) { play(&recorded[i]) })
	}
	file, err := os.Create("../../src/work-queue/recorded.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	packed, _ := gzip.NewWriterLevel(file, gzip.BestCompression)
	defer packed.Close()
	if err := json.NewEncoder(packed).Encode(recorded); err != nil {
		t.Fatal(err)
	}
}

// In histories of client-go no two keys become due at the same time, because it does not define their order.
func draw(random *rand.Rand, isClientGo bool) []Step {
	ops := []string{"add", "add", "add", "add", "add", "get", "get", "get", "done", "done", "done", "done", "advance", "advance", "forget"}
	var steps []Step
	for n := 8 + random.Intn(40); len(steps) < n; {
		step := Step{Op: ops[random.Intn(len(ops))], Key: string("abcd"[random.Intn(4)])}
		if random.Intn(60) == 0 {
			step.Op = "shutDown"
			// controller-runtime's queue does not drain.
			if isClientGo && random.Intn(2) == 0 {
				step.Op = "shutDownWithDrain"
			}
		}
		switch step.Op {
		case "add":
			kind := random.Intn(10)
			if kind < 3 {
				step.After = []float64{1, 5, 7, 20}[random.Intn(4)]
			}
			step.RateLimited = kind > 7
			if isClientGo {
				steps = append(steps, Step{Op: "advance", Advance: 0.001})
			} else {
				step.Priority = []int{0, 0, -1, 1, 2}[random.Intn(5)]
				if step.RateLimited && random.Intn(3) == 0 {
					step.After = []float64{2, 6, 50}[random.Intn(3)]
				}
			}
		case "advance":
			step.Key = ""
			step.Advance = 0.5 + float64(random.Intn(30))
		case "get", "shutDown", "shutDownWithDrain":
			step.Key = ""
		}
		steps = append(steps, step)
	}
	return steps
}

func play(history *History) {
	limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[string](5*time.Millisecond, 100*time.Millisecond)
	var queue workqueue.TypedRateLimitingInterface[string]
	var priorities priorityqueue.PriorityQueue[string]
	if history.Queue == "client-go" {
		queue = workqueue.NewTypedRateLimitingQueue[string](limiter)
	} else {
		priorities = priorityqueue.New("", func(options *priorityqueue.Opts[string]) { options.RateLimiter = limiter })
		queue = priorities
	}
	var lock sync.Mutex
	var given []string
	processing := map[string]bool{}
	get := func() {
		var key string
		var priority int
		var isDown bool
		if priorities != nil {
			key, priority, isDown = priorities.GetWithPriority()
		} else {
			key, isDown = queue.Get()
		}
		lock.Lock()
		defer lock.Unlock()
		if isDown {
			given = append(given, "shut down")
			return
		}
		given = append(given, fmt.Sprintf("%s %d", key, priority))
		processing[key] = true
	}
	for i := range history.Steps {
		step := &history.Steps[i]
		after := time.Duration(step.After * float64(time.Millisecond))
		switch step.Op {
		case "add":
			switch {
			case priorities != nil:
				priorities.AddWithOpts(priorityqueue.AddOpts{After: after, RateLimited: step.RateLimited, Priority: &step.Priority}, step.Key)
			case step.RateLimited:
				queue.AddRateLimited(step.Key)
			case after > 0:
				queue.AddAfter(step.Key, after)
			default:
				queue.Add(step.Key)
			}
		case "get":
			go get()
		case "done":
			if processing[step.Key] {
				delete(processing, step.Key)
				queue.Done(step.Key)
			}
		case "forget":
			queue.Forget(step.Key)
		case "advance":
			time.Sleep(time.Duration(step.Advance * float64(time.Millisecond)))
		case "shutDown":
			if !queue.ShuttingDown() {
				queue.ShutDown()
			}
		case "shutDownWithDrain":
			if !queue.ShuttingDown() {
				go queue.ShutDownWithDrain()
			}
		}
		synctest.Wait()
		lock.Lock()
		slices.Sort(given)
		step.Given, given = given, nil
		step.Length = queue.Len()
		lock.Unlock()
	}
	// controller-runtime's queue may be shut down only once. For client-go's, a second shutdown ends a drain.
	if priorities == nil || !queue.ShuttingDown() {
		queue.ShutDown()
	}
	synctest.Wait()
}
