-- Our client against kubernetes-mcp-server, which is written with the Go SDK. There is no cluster: what needs one says
-- so, the kubeconfig is there. Prints TAP.
--
--   perigee run --root tests/lua kubernetes.lua COMMAND_OR_URL CLUSTER ERA...
--
-- CLUSTER is the address that the kubeconfig names; ERA is legacy, modern, or auto=WHAT IT BECOMES.

local check = require "check"
local env = require "sys.env"
local mcp = require "sys.mcp"
local perigee = require "perigee"
local task = require "sys.task"

local server, cluster = perigee.args[1], perigee.args[2]
local case, same = check.case, check.same
local VERSIONS = { legacy = "2025-11-25", modern = "2026-07-28" }

local function all(word)
  local era, becomes = word:match "^(%a+)=?(%a*)$"
  local spec = { era = era, timeout = 30, probe = era == "auto" and 60 or nil }
  if server:find "^http" then spec.url = server else spec.command, spec.args = server, {} end
  if spec.command then spec.env = { KUBECONFIG = env.get "KUBECONFIG" } end
  local client = assert(mcp.connect(spec))

  case(era .. ": connects", function()
    same(client.era, becomes ~= "" and becomes or era, "era")
    same(client.version, VERSIONS[client.era], "version")
    same(client.server.name, "kubernetes-mcp-server")
  end)

  case(era .. ": lists tools with their schemas and annotations", function()
    local tools = {}
    for _, tool in ipairs(assert(client:list_tools())) do
      tools[tool.name] = tool
      same(tool.inputSchema.type, "object", tool.name)
    end
    same(tools.configuration_view.annotations.readOnlyHint, true, "readOnlyHint")
    same(tools.pods_delete.inputSchema.required[1], "name", "required")
  end)

  case(era .. ": a call that needs no cluster", function()
    local result = assert(client:call("configuration_view", { minified = false }))
    same(result.isError or false, false, "isError")
    assert(result.text:find(cluster, 1, true), result.text)
  end)

  case(era .. ": a call that needs one fails with words", function()
    local result = assert(client:call("namespaces_list", {}))
    same(result.isError, true, "isError")
    assert(result.text:find "refused", result.text)
  end)

  case(era .. ": a missing argument and an unknown tool come with words", function()
    for _, call in ipairs { { "pods_delete", {} }, { "no_such_tool", {} } } do
      local result, err = client:call(call[1], call[2])
      assert(result and result.isError or err, call[1] .. " went through")
      assert(#(result and result.text or err) > 0, "no words")
    end
  end)

  case(era .. ": twenty calls at once", function()
    local numbers = {}
    for i = 1, 20 do numbers[i] = i end
    local texts = task.map(numbers, function() return assert(client:call("configuration_view", {})).text end, 20)
    for i = 1, 20 do assert(texts[i]:find(cluster, 1, true), texts[i]) end
  end)

  case(era .. ": prompts and resources can be listed", function()
    assert(client:list_prompts())
    assert(client:list_resources())
  end)

  case(era .. ": ends in good order", function()
    client:close()
    same(client:running(), false)
  end)
end

for i = 3, #perigee.args do all(perigee.args[i]) end
check.done()
