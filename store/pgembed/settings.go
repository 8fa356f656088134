package pgembed

import (
	"fmt"
	"maps"
	"slices"
)

const (
	// maxSharedBuffers and minSharedBuffers bound the server's page cache, in
	// bytes; between them it takes a quarter of the memory, PostgreSQL's own
	// advice.
	maxSharedBuffers = 256 << 20
	minSharedBuffers = 32 << 20
)

// serverSettings are the settings of every private server. They are given on
// the command line, not written into the cluster, so that a newer interai
// brings its own.
func serverSettings(memory int64, smallShm bool) map[string]string {
	s := map[string]string{
		"cluster_name":            "interai",
		"listen_addresses":        "", // the Unix socket is the only door
		"unix_socket_permissions": "0700",
		"fsync":                   "on",
		"max_connections":         "200", // several processes share the server
		"shared_buffers":          fmt.Sprintf("%dMB", sharedBuffers(memory)>>20),
		"max_wal_size":            "2GB",
		"checkpoint_timeout":      "15min",
		"jit":                     "off", // short queries: planning it costs more than it gives
		// River's jobs and the head rows die young: vacuum early and often.
		"autovacuum_naptime":           "10s",
		"autovacuum_max_workers":       "4",
		"autovacuum_vacuum_cost_limit": "2000",
		// A forgotten transaction keeps an old xmin, which slows the queue 5x.
		"idle_in_transaction_session_timeout": "30s",
		// What a user wrote must not reach the log.
		"log_parameter_max_length_on_error": "0",
		"log_min_error_statement":           "panic",
		"log_error_verbosity":               "terse",
		"log_destination":                   "stderr",
		"logging_collector":                 "off",
	}
	if smallShm {
		s["dynamic_shared_memory_type"] = "mmap"
		s["max_parallel_workers_per_gather"] = "0"
	}
	return s
}

// sharedBuffers is the page cache in bytes for a machine of the given memory;
// 0 means that the memory is unknown.
func sharedBuffers(memory int64) int64 {
	if memory <= 0 {
		return maxSharedBuffers
	}
	return min(max(memory/4, minSharedBuffers), maxSharedBuffers)
}

// settingArgs renders settings as sorted server arguments.
func settingArgs(settings map[string]string) []string {
	args := make([]string, 0, 2*len(settings))
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		args = append(args, "-c", name+"="+settings[name])
	}
	return args
}
