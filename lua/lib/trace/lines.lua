--- The lines of a trace: one for each call when it has ended, and for a tool also one before.

local brief = require "trace.brief"
local json  = require "sys.json"
local text  = require "terminal.text"

local M = {}

local NAMES = { raised = "raised an error", unfinished = "did not return" }

---@class trace.Writer
---@field say fun(line: string)  gets a line without its end
---@field color? boolean
---@field json? boolean          true: an object in each line
---@field least? number          milliseconds; shorter calls, except those of tools, have no line


local function indented(writer, seconds, depth, line, failed)
  local time = seconds and ("%9.2f"):format(seconds * 1000) or (" "):rep(9)
  local color = writer.color or false
  writer.say(text.paint(color, "dim", time) .. ("  "):rep(depth) .. "  " .. text.paint(color and failed, "red", line))
end


--- Returns milliseconds for a JSON line.
local function rounded(seconds) return tonumber(("%.3f"):format(seconds * 1000)) end


--- True if the call raised an error, or returned nil and a message.
local function is_failure(how, ...)
  return how ~= "returned" or select("#", ...) > 1 and (...) == nil and type((select(2, ...))) == "string"
end


--- Shows a call: "name(arguments)", or for a tool "name { ... }".
local function shown_call(name, tool, arguments)
  if not tool then return ("%s(%s)"):format(name, arguments) end
  return name .. " " .. ((arguments == "" or arguments == "nil") and "{}" or arguments)
end


---@param writer trace.Writer
---@return sys.trace.Listener
function M.listener(writer)
  local listener = {}

  function listener.called(name, depth, tool, ...)
    local arguments = brief.arguments(name, ...)
    if tool and writer.json then
      writer.say(json.encode { kind = "begin", name = name, depth = depth, arguments = arguments })
    elseif tool then
      indented(writer, nil, depth, shown_call(name, true, arguments))
    end
    return arguments
  end

  function listener.returned(arguments, how, name, depth, tool, seconds, ...)
    if not tool and seconds * 1000 < (writer.least or 0) then return end
    arguments = arguments or ""
    local results = how == "returned" and brief.results(name, arguments, ...) or nil
    if writer.json then
      writer.say(json.encode { kind = tool and "end" or "call", name = name, depth = depth, arguments = arguments,
        results = results, how = how ~= "returned" and how or nil, ms = rounded(seconds) })
    else
      local call = tool and name or shown_call(name, false, arguments)
      local outcome = results == "" and "" or " = " .. (results or "")
      indented(writer, seconds, depth, call .. (results and outcome or " " .. NAMES[how]), is_failure(how, ...))
    end
  end

  return listener
end


local function add_header(lines)
  lines[#lines + 1] = ("%9s%9s%11s  %s"):format("calls", "ms", "longest ms", "function")
end


--- Adds a line for each function, sorted by the time of all its calls.
local function add_totals(lines, calls)
  table.sort(calls, function(a, b)
    if a.seconds ~= b.seconds then return a.seconds > b.seconds end
    return a.name < b.name
  end)
  for _, total in ipairs(calls) do
    lines[#lines + 1] = ("%9d%9.2f%11.2f  %s"):format(total.count, total.seconds * 1000, total.most * 1000,
      text.clean(total.name))
  end
end


--- Writes the totals at the end.
---@param writer trace.Writer
---@param report sys.trace.Calls
function M.totals(writer, report)
  if writer.json then
    local calls = json.array {}
    for i, total in ipairs(report.calls) do
      calls[i] = { name = total.name, count = total.count, ms = rounded(total.seconds), longest_ms = rounded(total.most) }
    end
    writer.say(json.encode { kind = "total", ms = rounded(report.seconds), lua_ms = rounded(report.lua),
      sys_ms = rounded(report.sys), calls = calls })
    return
  end
  local lines = {}
  if #report.calls > 0 then
    lines[1] = ""
    add_header(lines)
    add_totals(lines, report.calls)
  end
  lines[#lines + 1] = ("%.2f ms in all, %.2f ms of them in Lua code"):format(report.seconds * 1000, report.lua * 1000)
  for _, line in ipairs(lines) do writer.say(line) end
end


return M
