// Connects with one line of the TypeScript SDK, makes calls, and prints what the client got. It reads from its first
// argument: {sdk, era, url, key, command, args, env, calls: [{name, arguments, _meta, progress}]}.
const wish = JSON.parse(process.argv[2]);

// The two lines of the SDK differ in where things are, and in how a call takes its options.
const v1 = wish.sdk === "v1";
const root = v1 ? "@modelcontextprotocol/sdk/client" : "@modelcontextprotocol/client";
const { Client } = await import(v1 ? `${root}/index.js` : root);
const { StreamableHTTPClientTransport } = await import(v1 ? `${root}/streamableHttp.js` : root);
const { StdioClientTransport } = await import(v1 ? `${root}/stdio.js` : `${root}/stdio`);

function transport() {
  if (wish.command) {
    return new StdioClientTransport({ command: wish.command, args: wish.args, env: { ...process.env, ...wish.env }, stderr: "inherit" });
  }
  const headers = wish.key ? { Authorization: `Bearer ${wish.key}` } : {};
  return new StreamableHTTPClientTransport(new URL(wish.url), { requestInit: { headers } });
}

// Everything that a program sees of a failure: the client's own words, and what it keeps of the server's answer.
const thrown = (error) => ({
  thrown: [error.constructor.name, error.code, error.message, JSON.stringify(error.data), error.cause && thrown(error.cause).thrown].join(" "),
});

async function call(client, { progress, ...params }) {
  const steps = [];
  const options = progress ? { onprogress: (p) => steps.push(p.progress) } : {};
  try {
    const r = await (v1 ? client.callTool(params, undefined, options) : client.callTool(params, options));
    return { isError: r.isError ?? false, structured: r.structuredContent, text: r.content?.[0]?.text ?? "", steps };
  } catch (error) {
    return thrown(error);
  }
}

const answer = { tools: [], calls: [] };
const client = new Client(
  { name: "interai-clients", version: "1" },
  wish.era === "modern" ? { versionNegotiation: { mode: "auto" } } : {},
);
try {
  await client.connect(transport());
  answer.version = client.getServerVersion?.()?.version;
  answer.protocol = client.getNegotiatedProtocolVersion?.() ?? "";
  answer.tools = (await client.listTools()).tools.map((tool) => tool.name);
  for (const one of wish.calls ?? []) answer.calls.push(await call(client, one));
  await client.close();
} catch (error) {
  Object.assign(answer, thrown(error));
}
console.log(JSON.stringify(answer));
