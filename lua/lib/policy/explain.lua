--- What a policy decides about a call that nobody makes: for examples and for `perigee policy explain`.

local facts  = require "policy.facts"
local policy = require "sys.policy"

local M = {}

---@class policy.Question
---@field tool? string      one of these three
---@field resource? string
---@field prompt? string
---@field args? table
---@field caller? string|{kind?: string, name?: string, subject?: string}  default: a client
---@field via? string[]     the calls that led to it
---@field app? string|string[]   what it is about, where the desktop is not asked
---@field from? string|string[]  where its arguments' texts are from
---@field toolset? string   of a tool that is not there
---@field annotations? table
---@field mounted? boolean
---@field trust? "foreign"


local function list_of(value) return type(value) == "string" and { value } or value end


--- One that is not there can be asked about as well: a policy may be older than its tools.
---@param question policy.Question
---@return sys.policy.Subject
---@return boolean known
function M.subject(question)
  for _, kind in ipairs { "tool", "resource", "prompt" } do
    local name = question[kind]
    local subject = name and policy.subject(kind, name)
    if subject then return subject, true end
    if name then
      return { kind = kind, name = name, toolset = question.toolset or "", label = "", mounted = question.mounted or false,
        shipped = false, aliases = {}, trust = question.trust, annotations = question.annotations or {} }, false
    end
  end
  error("which tool, resource or prompt?", 0)
end


---@param question policy.Question
---@return table
local function caller_of(question)
  local given = question.caller or "client"
  if type(given) == "string" then given = { kind = given } end
  return { kind = given.kind or "client", name = given.name, subject = given.subject, id = 0 }
end


--- The rule that decides.
---@param decide function
---@param question policy.Question
---@return policy.Rule
---@return boolean known  there is such a tool, resource or prompt
function M.rule(decide, question)
  local subject, known = M.subject(question)
  local told = facts.new(subject, caller_of(question), nil, question.resource, question.args or {})
  local apps = list_of(question.app)
  if apps then
    told.about = {}
    for i, name in ipairs(apps) do told.about[i] = { name } end
  end
  told.led = list_of(question.via)
  told.copied = list_of(question.from)
  return decide(subject, told.caller, nil, question.resource, told.args, told), known
end


return M
