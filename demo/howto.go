package demo

// howto is one entry of the built-in world: a short instruction of software operation.
type howto struct {
	software, task, step, check string
	// claim, when not "", is a statement that the instruction rests on, which is tested by itself.
	claim string
}

// good are instructions that work, more or less often.
func good() []howto {
	return []howto{
		{"PostgreSQL", "find the slowest queries", "Load pg_stat_statements in shared_preload_libraries and restart.", "Order the view by total_exec_time.", "pg_stat_statements needs shared_preload_libraries and a restart."},
		{"PostgreSQL", "add an index without blocking writers", "Run create index concurrently outside of a transaction.", "Look for indisvalid in pg_index.", "Create index concurrently cannot run inside a transaction block."},
		{"PostgreSQL", "stop forgotten transactions", "Set idle_in_transaction_session_timeout to 60 s for the role.", "Watch pg_stat_activity for the state idle in transaction.", ""},
		{"PostgreSQL", "see why autovacuum falls behind", "Set log_autovacuum_min_duration to 0 for a day.", "Read dead tuples and the duration in the log.", ""},
		{"nginx", "reload the configuration without dropping requests", "Run nginx -t, then send the master process HUP.", "Old workers end once their requests are answered.", "Nginx finishes open requests with the old workers after a reload."},
		{"nginx", "limit requests of one address", "Define limit_req_zone with the binary address as its key and use it with a burst.", "Clients above the limit get 503, or what limit_req_status says.", ""},
		{"nginx", "keep connections to a backend open", "Set keepalive in the upstream block, HTTP 1.1 and an empty Connection header.", "Count new connections on the backend.", "Upstream keepalive in nginx needs proxy_http_version 1.1."},
		{"systemd", "restart a crashed service with a pause", "Set Restart=on-failure and RestartSec=5 in the unit.", "Run systemctl show with the property NRestarts.", ""},
		{"systemd", "run a job each night", "Write a timer unit with OnCalendar and Persistent=true.", "systemctl list-timers names the next run.", "A systemd timer with Persistent=true catches up after the machine was off."},
		{"systemd", "cap the memory of a service", "Set MemoryMax in the unit and reload systemd.", "Read memory.max in the unit's control group.", ""},
		{"Docker", "make an image smaller", "Build in one stage and copy the result into a slim one.", "Compare with docker image history.", ""},
		{"Docker", "keep logs from filling the disk", "Set max-size and max-file of the json-file driver in daemon.json.", "New containers rotate their logs; old ones must be made again.", "Docker log options in daemon.json apply to new containers only."},
		{"Kubernetes", "roll a deployment back", "Run kubectl rollout undo for the deployment.", "kubectl rollout status ends without an error.", ""},
		{"Kubernetes", "find out why a pod is pending", "Read the events at the end of kubectl describe pod.", "The scheduler names the missing resource or taint.", ""},
		{"Kubernetes", "drain a node", "Cordon the node, then drain it while ignoring daemon sets.", "Only daemon set pods are left on the node.", "Draining a node respects pod disruption budgets."},
		{"Git", "undo the last commit but keep its changes", "Run git reset --soft HEAD~1.", "git status shows the changes as staged.", ""},
		{"Git", "find the commit that broke a test", "Start git bisect with a good and a bad commit and let it run the test.", "Git names the first bad commit.", ""},
		{"OpenSSH", "reach a host behind a jump host", "Set ProxyJump for the host in the client's configuration.", "ssh -v shows two authentications.", ""},
		{"OpenSSH", "forbid passwords", "Set PasswordAuthentication no and reload the server while a session stays open.", "A login without a key is refused.", ""},
		{"Redis", "find large keys", "Run redis-cli --bigkeys against a replica.", "The summary names the largest key of each type.", ""},
		{"Redis", "let old cache entries go", "Set maxmemory and maxmemory-policy allkeys-lru.", "evicted_keys grows while memory stays below the limit.", ""},
		{"Prometheus", "alert before a disk is full", "Use predict_linear on the free bytes with four hours ahead.", "The alert is pending for at least ten minutes before it fires.", ""},
		{"Prometheus", "drop a metric with too many labels", "Add a metric_relabel_configs rule with the action drop.", "scrape_samples_post_metric_relabeling falls.", ""},
		{"Terraform", "take an existing resource under control", "Write an import block and run terraform plan.", "The plan has no changes after the import.", ""},
	}
}

// bad are instructions that sound right and seldom work. None does harm.
func bad() []howto {
	return []howto{
		{"PostgreSQL", "speed up every query with one setting", "Set work_mem to half of the memory for all sessions.", "Queries should spill to disk no more.", "A larger work_mem makes every PostgreSQL query faster."},
		{"nginx", "double the throughput", "Set worker_processes to ten times the number of cores.", "More workers should serve more requests.", ""},
		{"systemd", "start a service after the network is really up", "Add After=network.target to the unit.", "The service should find its remote peer at boot.", "After=network.target waits until the network is configured."},
		{"Docker", "free space for good", "Restart the Docker daemon each night.", "Unused images should be gone.", ""},
		{"Kubernetes", "cure a crash loop", "Raise the number of replicas.", "One of them should stay up.", ""},
		{"Git", "remove a large file from the history", "Delete the file and commit again.", "The clone should be small again.", ""},
		{"Redis", "make all writes durable", "Call SAVE from the application after each write.", "No write should be lost, at no cost.", ""},
		{"Prometheus", "keep data for years", "Set the scrape interval to one hour.", "Graphs should stay exact.", ""},
	}
}
