--- The calls of a session as its snapshot tells of them.

local json     = require "sys.json"
local quoting  = require "desktop.quoting"
local records  = require "sessions.records"
local sessions = require "sessions.sessions"
local time     = require "sys.time"

local M = {}

local MOST = 1000      -- calls
local SHOWN = 200      -- characters of an error

local NAMES = { "window", "element", "application", "path", "url", "name", "display" }   -- arguments that say what it is about


local function resource_of(arguments)
  for _, name in ipairs(NAMES) do
    if type(arguments[name]) == "string" then return arguments[name] end
  end
end


local function record_of(row)
  local arguments = json.decode(row.arguments) or {}
  return json.object({ ref = records.id(row.number), operation_time = time.iso(row.begun), operation_type = row.tool,
    resource = resource_of(arguments), state = row.state, success = row.state == "done" or row.state == "dropped",
    error = row.error, arguments = json.object(arguments), transaction_id = row.transaction_id },
    { "ref", "operation_time", "operation_type", "resource", "state", "success", "error", "arguments", "transaction_id" })
end


---@class transactions.History
---@field history table[]
---@field applications string[]
---@field observations string[]

---@param session sessions.Session
---@return transactions.History? all
---@return string? err
---@return string? code
function M.of(session)
  local shelf = sessions.shelf(session)
  local rows, err, code = shelf:last(MOST)
  if not rows then return nil, err, code end
  local all, seen = { history = json.array {}, applications = json.array {}, observations = json.array {} }, {}
  for i = #rows, 1, -1 do
    local record = record_of(rows[i])
    all.history[#all.history + 1] = record
    local about = record.arguments.application
    if type(about) ~= "string" then about = (record.resource or ""):match "^applications/%d+" end
    if about and not seen[about] then seen[about], all.applications[#all.applications + 1] = true, about end
  end
  for _, each in ipairs(records.all(shelf, "observation") or {}) do all.observations[#all.observations + 1] = each.name end
  return all
end


--- "r2 move_window applications/7/windows/1: done"
---@param record table
---@return string
function M.line(record)
  local about = record.resource and " " .. quoting.cut(quoting.plain(record.resource), SHOWN) or ""
  local how = record.error and ("%s: %s"):format(record.state, quoting.cut(quoting.plain(record.error), SHOWN)) or record.state
  return ("%s %s%s: %s"):format(record.ref, record.operation_type, about, how)
end


return M
