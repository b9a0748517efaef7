--- The facts about a recording of keys and clicks, and those who never may begin one.

local engine = require "sys.engine"
local files  = require "sys.files"
local policy = require "sys.policy"
local task   = require "sys.task"

local M = {}

local NEVER = { number = 0, verdict = "deny", reason = "files of others and scripts of clients never may", per = { "call" } }


--- The purpose, in words of the caller's.
---@return string|false
function M.text(effect) return type(effect.given[1]) == "string" and effect.given[1] or false end

function M.words(effect) return { M.text(effect) } end


--- True if others wrote the file that it is of.
local function is_of_others(subject)
  return subject.mounted or subject.trust == "foreign" or subject.toolset:find "^packs/" ~= nil
end


--- Denies what files of others never may; nil: others did not write the file of this subject.
---@param subject table
---@return policy.Rule?
function M.of_others(subject) return is_of_others(subject) and NEVER or nil end


--- The label of the file that acts apart from any call: a service, or a command; "" for others.
local function label_by_itself()
  local service = (task.owner() or ""):match "^service (.*)$"
  local path
  for _, each in ipairs(service and engine.services() or {}) do path = each.name == service and each.file or path end
  for _, each in ipairs(files.list()) do
    local is = each.path == path
    if not service then is = each.kind == "command" and each.name == policy.memory().command and not each.overridden_by end
    if is then return each.label end
  end
  return ""
end


--- The rule that denies it whatever the policy says, to files of others and for scripts in the jail; nil: it may be allowed.
---@param effect policy.Effect
---@return policy.Rule?
function M.never(effect)
  if policy.confined() or is_of_others(effect.subject) then return NEVER end
  if not effect.call and label_by_itself():find "^packs/" then return NEVER end
  for _, name in ipairs(effect:via()) do
    for _, kind in ipairs { "tool", "prompt", "resource" } do
      local subject = policy.subject(kind, name)
      if subject and is_of_others(subject) then return NEVER end
    end
  end
end


return M
