-- Our client against servers that others wrote: @modelcontextprotocol/server-everything, which
-- speaks the revisions with `initialize`, and a server on the TypeScript SDK v2, which speaks both
-- eras. Prints TAP.
--
--   perigee run --root tests/lua everything.lua NODE PATH_OF_SERVER_EVERYTHING PATH_OF_MODERN_SERVER
--   perigee run --root tests/lua everything.lua auto NODE PATH_OF_MODERN_SERVER                  finding out the era
--   perigee run --root tests/lua everything.lua http URL everything|theirs ERA...     over HTTP, in each of these eras

local check = require "check"
local mcp = require "sys.mcp"
local perigee = require "perigee"
local task = require "sys.task"
local time = require "sys.time"

local node, everything, theirs = perigee.args[1], perigee.args[2], perigee.args[3]
local case, same = check.case, check.same
local PATIENT = 60      -- seconds for a server to start: as long as a busy machine may take

local function connect(path, more)
  local spec = { command = node, args = { path }, timeout = 30 }
  for key, value in pairs(more or {}) do spec[key] = value end
  return assert(mcp.connect(spec))
end

-- The cases that either server must pass. `has` gives the names of its tools.
local function both(label, client, has)
  case(label .. ": lists its tools", function()
    local names = {}
    for _, tool in ipairs(assert(client:list_tools())) do
      names[tool.name] = tool
      same(tool.inputSchema.type, "object", tool.name)
    end
    assert(names.echo, "no echo")
  end)

  case(label .. ": odd texts come back as they went", function()
    local long = ("x"):rep(200000)
    for _, text in ipairs { "", "plain", 'q " \\ /', "a\nb\tc", "é 漢字 😀", "¦|`", long } do
      local result = assert(client:call("echo", { message = text }))
      same(result.text, has.echoed(text))
    end
  end)

  case(label .. ": a structured result", function()
    local result = assert(client:call(has.structured, has.structured_args))
    same(type(result.structuredContent), "table", "structuredContent")
    assert(result.structuredContent[has.structured_key], "no " .. has.structured_key)
  end)

  case(label .. ": a bad argument or a failure comes as a result or an error, with words", function()
    local result, err = client:call("echo", { message = 7 })
    assert(result and result.isError or err, "it went through")
    assert(#(result and result.text or err) > 0, "no words")
  end)

  case(label .. ": an unknown tool", function()
    local result, err, code = client:call("no_such_tool", {})
    assert(result and result.isError or code == "rpc_error", "got " .. tostring(code))
    assert((result and result.text or err):find "no_such_tool", "does not name it")
  end)

  case(label .. ": progress", function()
    local seen = {}
    local result = assert(client:call(has.slow, has.slow_args(4, 0.4), {
      progress = function(done, total) seen[#seen + 1] = done .. "/" .. total end,
    }))
    same(result.isError or false, false, "isError")
    same(table.concat(seen, " "):gsub("%.0", ""), "1/4 2/4 3/4 4/4")
  end)

  case(label .. ": progress extends a call's time", function()
    local options, result, err = { timeout = 0.6, progress = function() end }
    for _ = 1, 5 do -- a busy server may pause for as long
      result, err = client:call(has.slow, has.slow_args(8, 1.6), options)
      if result then break end
    end
    assert(result, err)
  end)

  case(label .. ": a call out of time is given up, and the session goes on", function()
    local result, _, code = client:call(has.slow, has.slow_args(1, 20), { timeout = 0.2 })
    same(result, nil)
    same(code, "timeout")
    same(assert(client:call("echo", { message = "after" })).text, has.echoed "after")
  end)

  case(label .. ": fifty calls at once", function()
    local numbers = {}
    for i = 1, 50 do numbers[i] = i end
    local texts = task.map(numbers, function(i)
      return assert(client:call("echo", { message = "n" .. i })).text
    end, 50)
    for i = 1, 50 do same(texts[i], has.echoed("n" .. i)) end
  end)

  case(label .. ": prompts", function()
    local names = {}
    for _, prompt in ipairs(assert(client:list_prompts())) do names[prompt.name] = true end
    assert(names[has.prompt], "no " .. has.prompt)
    local got = assert(client:get_prompt(has.prompt, has.prompt_args))
    same(got.messages[1].role, "user")
    assert(got.messages[1].content.text:find(has.prompt_says, 1, true), got.messages[1].content.text)
  end)

  case(label .. ": an unknown method", function()
    local result, err, code = client:request("no/such/method", {})
    same(result, nil)
    same(code, "rpc_error", err)
  end)

  case(label .. ": ends in good order", function()
    same(client:running(), true)
    client:close()
    same(client:running(), false)
    local result, _, code = client:call("echo", { message = "x" })
    same(result, nil)
    same(code, "closed")
  end)
end

local everything_has = {
  echoed = function(text) return "Echo: " .. text end,
  structured = "get-structured-content",
  structured_args = { location = "Chicago" },
  structured_key = "temperature",
  slow = "trigger-long-running-operation",
  slow_args = function(steps, seconds) return { steps = steps, duration = seconds } end,
  prompt = "args-prompt",
  prompt_args = { city = "Bern" },
  prompt_says = "Bern",
}

local theirs_has = {
  echoed = function(text) return text end,
  structured = "greet",
  structured_args = { name = "Ada" },
  structured_key = "said",
  slow = "count",
  slow_args = function(steps, seconds) return { to = steps, ms = seconds * 1000 / steps } end,
  prompt = "ask",
  prompt_args = { what = "tides" },
  prompt_says = "Explain tides.",
}

-- Its tool `simulate-research-query` runs as a task only, and asks when the query is ambiguous.
local function research(label, open)
  case(label .. ": a task, with its question, to its result", function()
    local asked, statuses = 0, {}
    local other <close> = open {
      elicit = function(ask)
        asked = asked + 1
        local answer = {}
        for name, field in pairs(ask.requestedSchema.properties) do
          answer[name] = field.default or field.enum and field.enum[1] or field.oneOf[1].const
        end
        return answer
      end,
    }
    local result = assert(other:call("simulate-research-query", { topic = "moons", ambiguous = true }, {
      task = { ttl = 60, status = function(status) statuses[status] = true end },
    }))
    assert(result.text:find("Research Report: moons", 1, true), result.text)
    same(asked, 1, "questions")
    assert(statuses.working and statuses.input_required, "not told of its statuses")
    local refused, err = other:call("simulate-research-query", { topic = "moons" })
    assert(refused and refused.isError or err, "it ran without a task")
  end)
end

if perigee.args[1] == "http" then
  local has = perigee.args[3] == "everything" and everything_has or theirs_has
  for i = 4, #perigee.args do
    local era = perigee.args[i]
    local label = "over HTTP, " .. era
    local other = assert(mcp.connect { url = perigee.args[2], era = era, timeout = 30, probe = era == "auto" and PATIENT or nil })
    case(label .. ": connects", function() if era ~= "auto" then same(other.era, era) end end)
    both(label, other, has)
    if has == everything_has then
      research(label, function(more)
        more.url, more.era, more.timeout = perigee.args[2], era, 30
        return assert(mcp.connect(more))
      end)
    end
  end
  check.done()
  return
end

local function modern_server(era)
  local label = "sdk 2 server, " .. era
  local other = connect(theirs, { era = era, probe = era == "auto" and PATIENT or nil })
  case(label .. ": connects", function()
    same(other.era, era == "legacy" and "legacy" or "modern")
    same(other.version, era == "legacy" and "2025-11-25" or "2026-07-28")
    same(other.server.name, "theirs")
    same(other.instructions, "Be brief.")
  end)
  both(label, other, theirs_has)
end

if perigee.args[1] == "auto" then
  node, theirs = perigee.args[2], perigee.args[3]
  modern_server "auto"
  case("a server that speaks the newest revision alone", function()
    local other = connect(theirs, { args = { theirs, "modern" }, probe = PATIENT })
    same(other.era, "modern")
    other:close()
  end)
  check.done()
  return
end

local logged = {}
local client = connect(everything, { log = function(line) logged[#logged + 1] = line end })
case("server-everything: connects, legacy", function()
  same(client.era, "legacy")
  same(client.version, "2025-11-25")
  assert(client.server.name:find "everything", client.server.name)
  assert(#logged > 0, "nothing of its stderr was seen")
end)
case("server-everything: an image and numbers", function()
  local image = assert(client:call("get-tiny-image", {}))
  local kinds = {}
  for i, block in ipairs(image.content) do kinds[i] = block.type end
  assert(table.concat(kinds, " "):find "image", table.concat(kinds, " "))
  assert(assert(client:call("get-sum", { a = 2, b = 3.5 })).text:find "5.5")
end)
research("server-everything", function(more) return connect(everything, more) end)
both("server-everything", client, everything_has)

modern_server "modern"
modern_server "legacy"

case("a program that is not there", function()
  local none, err, code = mcp.connect { command = "/no/such/program" }
  same(none, nil)
  same(code, "not_found", err)
end)

case("a program that is not a server", function()
  local begun = time.monotonic()
  local none, err = mcp.connect { command = "true", timeout = 20 }
  same(none, nil)
  assert(#err > 0 and time.monotonic() - begun < 20, "it was waited for")
end)

check.done()
