package secret

var modelFamilies = []family{
	{name: "openai_key", placeholder: "OPENAI_API_KEY", tier: Structural, patterns: []string{
		"sk-proj-{b64url:40-200}", "sk-svcacct-{b64url:40-200}", "sk-admin-{b64url:40-200}",
		"sk-None-{b64url:40-200}", "sk-{alnum:20}T3BlbkFJ{alnum:20}", "sk-{alnum:48}",
		"{b64url:20-120}T3BlbkFJ{b64url:20-120}", "sess-{alnum:40}",
	}},
	{
		name: "anthropic_key", placeholder: "ANTHROPIC_API_KEY", tier: Structural,
		patterns: []string{"sk-ant-{lownum:3-10}-{b64url:80-120}"},
	},
	{
		name: "deepseek_like_key", placeholder: "API_KEY", tier: Structural,
		patterns: []string{
			"sk-{hex:32}", "sk-{hex:48}", "sk-{alnum:32}", "sk-{alnum:40}", "sk-{alnum:51}", "sk_{hex:48}",
			"sk-{alnum:64}",
		},
	},
	{
		name: "openrouter_key", placeholder: "OPENROUTER_API_KEY", tier: Structural,
		patterns: []string{"sk-or-v1-{hex:64}", "sk-or-{b64url:40-80}"},
	},
	{
		name: "langfuse_key", placeholder: "LANGFUSE_SECRET_KEY", tier: Structural,
		patterns: []string{"sk-lf-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}"},
	},
	{
		name: "helicone_key", placeholder: "HELICONE_API_KEY", tier: Structural,
		patterns: []string{"sk-helicone-{b64url:20-60}", "sk-kimi-{alnum:40-80}", "sk-litellm-{b64url:16-60}"},
	},
	{
		name: "huggingface_token", placeholder: "HF_TOKEN", tier: Structural,
		patterns: []string{"hf_{alnum:34-40}", "api_org_{alnum:34}"},
	},
	{
		name: "replicate_token", placeholder: "REPLICATE_API_TOKEN", tier: Structural,
		patterns: []string{"r8_{alnum:37-40}"},
	},
	{name: "groq_key", placeholder: "GROQ_API_KEY", tier: Structural, patterns: []string{"gsk_{alnum:48-56}"}},
	{
		name: "perplexity_key", placeholder: "PERPLEXITY_API_KEY", tier: Structural,
		patterns: []string{"pplx-{alnum:40-56}"},
	},
	{name: "xai_key", placeholder: "XAI_API_KEY", tier: Structural, patterns: []string{"xai-{alnum:70-90}"}},
	{name: "nvidia_key", placeholder: "NVIDIA_API_KEY", tier: Structural, patterns: []string{"nvapi-{b64url:60-70}"}},
	{name: "cerebras_key", placeholder: "CEREBRAS_API_KEY", tier: Structural, patterns: []string{"csk-{lownum:48}"}},
	{
		name: "fireworks_key", placeholder: "FIREWORKS_API_KEY", tier: Structural,
		patterns: []string{"fw_{alnum:22-28}"},
	},
	{
		name: "together_key", placeholder: "TOGETHER_API_KEY", tier: Structural,
		patterns: []string{"tgp_v1_{b64url:40-48}"},
	},
	{
		name: "langsmith_key", placeholder: "LANGSMITH_API_KEY", tier: Structural,
		patterns: []string{"lsv2_pt_{hex:32}_{hex:10}", "lsv2_sk_{hex:32}_{hex:10}", "ls__{hex:32}"},
	},
	{
		name: "pinecone_key", placeholder: "PINECONE_API_KEY", tier: Structural,
		patterns: []string{"pcsk_{alnum:5-6}_{alnum:50-70}", "pckey_{word:40-90}"},
	},
	{
		name: "tavily_key", placeholder: "TAVILY_API_KEY", tier: Structural,
		patterns: []string{"tvly-{b64url:32-48}", "tvly-{lower:3-4}-{b64url:32-48}"},
	},
	{name: "firecrawl_key", placeholder: "FIRECRAWL_API_KEY", tier: Structural, patterns: []string{"fc-{hex:32}"}},
	{name: "voyage_key", placeholder: "VOYAGE_API_KEY", tier: Structural, patterns: []string{"pa-{b64url:43}"}},
	{name: "jina_key", placeholder: "JINA_API_KEY", tier: Structural, patterns: []string{"jina_{b64url:40-70}"}},
	{name: "e2b_key", placeholder: "E2B_API_KEY", tier: Structural, patterns: []string{"e2b_{hex:40}"}},
	{
		name: "apify_token", placeholder: "APIFY_TOKEN", tier: Structural,
		patterns: []string{"apify_api_{alnum:32-40}"},
	},
	{
		name: "browserbase_key", placeholder: "BROWSERBASE_API_KEY", tier: Structural,
		patterns: []string{"bb_live_{b64url:20-40}"},
	},
	{
		name: "stability_or_luma_key", placeholder: "LUMA_API_KEY", tier: Structural,
		patterns: []string{"luma-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}-{hex:12}"},
	},
	{
		name: "cursor_key", placeholder: "CURSOR_API_KEY", tier: Structural,
		patterns: []string{"key_{hex:64}", "crsr_{hex:64}"},
	},
	{
		name: "wandb_key", placeholder: "WANDB_API_KEY", tier: Structural,
		patterns: []string{"wandb_v1_{b64url:60-100}"},
	},
	{
		name: "context7_key", placeholder: "CONTEXT7_API_KEY", tier: Structural,
		patterns: []string{"ctx7sk-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}"},
	},
	{
		name: "zuplo_key", placeholder: "ZUPLO_API_KEY", tier: Structural,
		patterns: []string{"zpka_{alnum:32}_{hex:8}", "zpka_{word:30-80}"},
	},
	{
		name: "composio_or_mem0_key", placeholder: "MEM0_API_KEY", tier: Structural,
		patterns: []string{"m0-{alnum:40}", "ak_{b64url:20}"},
	},
	{
		name: "assembly_or_vapi_key", placeholder: "API_KEY", tier: Structural,
		patterns: []string{
			"bfl_{alnum:30-50}", "sk-cp-{b64url:60-140}", "sk_car_{alnum:20-40}", "sk-api-{b64url:60-140}",
		},
	},
}
