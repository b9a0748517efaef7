--- The `wait` that all acting tools share, for an effect that takes longer than the action.

local beginnings = require "desktop.beginnings"
local conditions = require "desktop.conditions"
local fail       = require "desktop.fail"
local s          = require "schema"

local M = {}

local DESCRIPTION = "Then wait for {condition, window, element, text, value, timeout}, as wait_for."

--- The parameter, the tool's last one.
M.parameter = { "wait", conditions.schema(DESCRIPTION, { optional = true }) }

--- The same for a tool that waits for so many seconds anyway.
---@param description string  text about the seconds
---@param options table       their limits
---@return table
function M.or_seconds(description, options)
  return { "wait", {
    description = description, optional = true, anyOf = { s.number(nil, options), conditions.schema(DESCRIPTION) },
  } }
end

--- The member of the result.
M.member = { "waited", s.object({
  { "condition", s.string() },
  { "met", s.boolean "False if it was not seen in time. Says nothing of the action itself." },
  { "seconds", s.number() },
  { "already", s.boolean("True if it was so before the action.", { optional = true }) },
  { "window", s.string(nil, { optional = true }) },
  { "title", s.string(nil, { optional = true }) },
}, "With wait: the wait after the action, and the window that was seen.", { optional = true }) }


local function text_of(wait, waited, err)
  if not waited then
    return ("After the action the wait failed: %s. Whether the effect came is unknown."):format(fail.advised(err) or "no reason")
  end
  if waited.met then return ("Then waited %.1f s: %s"):format(waited.seconds, waited.text) end
  local asked = wait.timeout or conditions.TIMEOUT
  return ("The awaited effect was not seen within %g s after the action: %s"):format(asked, waited.text)
end


local function facts_of(condition, waited)
  local shown = waited and waited.window
  return {
    condition = condition, met = waited ~= nil and waited.met, seconds = waited and waited.seconds or 0,
    already = waited and waited.so_before, window = shown and shown.name, title = shown and shown.title,
  }
end


--- True if the tool succeeded. Otherwise there is no effect to wait for.
local function acted(result)
  return type(result) == "table" and not result.isError
end


local function run_and_wait(run, args, call)
  local wait = args.wait
  local fits, wrong = conditions.check(wait)
  wrong = not fits and wrong or conditions.wrong(wait)
  if wrong then return fail.with("wait: " .. wrong, "bad_argument") end
  args.wait = nil
  local wait_for = require "elements.check.wait_for"   -- most calls wait for nothing, and it needs many files
  local results, waited, err = wait_for.around(wait, function() return run(args, call) end, acted)
  local result = results[1]
  if acted(result) then
    result.content[1].text = result.content[1].text .. "\n" .. text_of(wait, waited, err)
    result.structuredContent.waited = facts_of(wait.condition, waited)
  end
  return table.unpack(results, 1, results.n)
end


--- Makes the run() of a tool that has the parameter. The result also tells which names were taken for their beginnings. The
--- given run() answers with call:result{content=, structuredContent=}, and text comes first in the content.
---@param run fun(args: table, call: Call): ...
---@return fun(args: table, call: Call): ...
function M.run(run)
  return beginnings.run(function(args, call)
    if type(args.wait) ~= "table" then return run(args, call) end
    return run_and_wait(run, args, call)
  end)
end


return M
