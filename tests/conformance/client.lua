--- The client under the official conformance suite: `perigee run tests/conformance/client.lua URL`. The suite says in the
--- environment which scenario it plays; what a scenario wants is written in its name's function. Those that are not named
--- (auth/* above all) want no more than a session, a list and a call.

local env   = require "sys.env"
local http  = require "sys.http"
local json  = require "sys.json"
local mcp   = require "sys.mcp"
local oauth = require "oauth"

local url      = ...
local scenario = env.get "MCP_CONFORMANCE_SCENARIO" or ""
local context  = json.decode(env.get "MCP_CONFORMANCE_CONTEXT" or "{}") or {}
local version  = env.get "MCP_CONFORMANCE_PROTOCOL_VERSION"

-- The time limit of one answer and of one login. The suite is one process for 25 scenarios at once, and other suites beside
-- it may hold it up for minutes. It is less than official.SCENARIO_SECONDS, so that the client says what it waited for.
local SECONDS = 400


--- Opens the URL as a browser of a person who says yes at once.
local function browse(address)
  local page, err = http.request { url = address, timeout = SECONDS }
  print(("browser: %s"):format(page and ("%d %s"):format(page.status, page.body:sub(1, 200)) or err))
  return page and true, err
end


local function authorizer()
  return oauth.authorizer {
    url = url, interactive = true, timeout = SECONDS, open = browse, say = print,
    client_id = context.client_id, client_secret = context.client_secret,
    unattended = scenario:find("client-credentials", 1, true) ~= nil,
    client_document = "https://conformance-test.local/client-metadata.json", -- the name the suite knows us by
  }
end


local function connect(spec)
  spec = spec or {}
  spec.url = url
  spec.authorize = authorizer()
  spec.timeout = SECONDS
  spec.log = function(line) print("log: " .. line) end
  return assert(mcp.connect(spec))
end


--- The mocks of some scenarios speak 2026-07-28 and have no server/discover.
local function pinned()
  return { era = "modern", probe = false }
end


local function has(tools, name)
  for _, tool in ipairs(tools) do
    if tool.name == name then return true end
  end
  return false
end


local scenarios = {}


function scenarios.initialize()
  assert(connect():list_tools())
end


function scenarios.tools_call()
  local client <close> = connect()
  assert(has(assert(client:list_tools()), "add_numbers"))
  print(assert(client:call("add_numbers", { a = 2, b = 3 })).text)
end


scenarios["elicitation-sep1034-client-defaults"] = function()
  local client <close> = connect { elicit = function() return true end }
  assert(client:list_tools())
  print(assert(client:call("test_client_elicitation_defaults", {})).text)
end


scenarios["sse-retry"] = function()
  local client <close> = connect()
  assert(client:list_tools())
  print(assert(client:call("test_reconnection", {})).text)
end


scenarios["request-metadata"] = function()
  local client <close> = connect(pinned())
  local tools = assert(client:list_tools())
  if tools[1] then client:call(tools[1].name, {}) end
end


scenarios["sep-2322-client-request-state"] = function()
  local other = {}
  local client <close> = connect {
    elicit = function()
      -- Another call, between the question and the answer: nothing of the first may show in it.
      assert(other.client:call("test_mrtr_unrelated", {}))
      return true
    end,
  }
  other.client = client
  assert(client:list_tools())
  for _, tool in ipairs { "test_mrtr_echo_state", "test_mrtr_no_state", "test_mrtr_no_result_type" } do
    print(tool, assert(client:call(tool, {})).text)
  end
end


scenarios["http-standard-headers"] = function()
  local client <close> = connect(pinned())
  for _, tool in ipairs(assert(client:list_tools())) do client:call(tool.name, {}) end
  local resources = assert(client:request("resources/list")).resources
  for _, resource in ipairs(resources) do client:request("resources/read", { uri = resource.uri }) end
  for _, prompt in ipairs(assert(client:list_prompts())) do client:get_prompt(prompt.name) end
end


scenarios["http-custom-headers"] = function()
  local client <close> = connect(pinned())
  assert(client:list_tools())
  for _, call in ipairs(context.toolCalls) do assert(client:call(call.name, call.arguments)) end
end


scenarios["http-invalid-tool-headers"] = function()
  local client <close> = connect(pinned())
  for _, tool in ipairs(assert(client:list_tools())) do client:call(tool.name, { region = "eu", value = "x" }) end
end


scenarios["json-schema-ref-no-deref"] = scenarios.initialize


scenarios["json-schema-2020-12-preservation"] = function()
  local client <close> = connect()
  for _, tool in ipairs(assert(client:list_tools())) do
    if tool.name == "json_schema_2020_12_tool" then
      assert(client:call("json_schema_echo", { schema = tool.inputSchema }))
    end
  end
end


--- Plays all other scenarios: connects, lists the tools and calls each.
local function session()
  local client <close> = connect()
  for _, tool in ipairs(assert(client:list_tools())) do client:call(tool.name, {}) end
end


print(scenario, version)
local play = scenarios[scenario] or session
play()
