--- The values of elements that take text or a number, as a transaction keeps them.

local crypto  = require "sys.crypto"
local element = require "sys.element"
local engines = require "sessions.engines"
local window  = require "sys.window"

local M = {}

local NODES = 5000
local MOST = 1024 * 1024   -- bytes of a text, as it is read


--- Returns how the element of an id is found again, also by another engine.
---@param id integer
---@return table? place
---@return sys.element.Node|string? node_or_err
function M.place(id)
  local nodes, err = element.get { id }
  local node = nodes and nodes[1]
  if not node or node.gone then return nil, err or "the element is gone" end
  local windows = window.list { pid = node.pid }
  return { id = id, engine = engines.mine(), pid = node.pid, started = windows and windows[1] and windows[1].started or 0,
    window = node.window, role = node.role, name = node.name, description = node.description }, node
end


local function is_it(node, place)
  return node.role == place.role and node.name == place.name and node.description == place.description
end


local function value_of(node)
  if not (node.abilities.write or node.abilities.read) and node.number then return { number = node.number } end
  local text, err, code = element.text(node.id)
  if not text and node.number then return { number = node.number } end
  if not text then return nil, err, code end
  if #text.text >= MOST then return { large = true, sha = M.digest(text.text) }, nil end
  return { sha = M.digest(text.text) }, text.text
end


---@param text string
---@return string
function M.digest(text) return crypto.hex(assert(crypto.sha256(text))) end


--- The element itself; found again by what it is called, if another engine noted it: then its value has to be one of these.
local function node_of(place, values)
  if place.engine == engines.mine() then
    local nodes, err = element.get { place.id }
    if not nodes then return nil, err end
    if not nodes[1].gone then return nodes[1] end
  end
  local tree, err = element.tree { pid = place.pid, started = place.started, window = place.window, nodes = NODES, hidden = true }
  if not tree then return nil, err end
  local found = {}
  for _, node in ipairs(tree.nodes) do
    if is_it(node, place) then found[#found + 1] = node end
  end
  if #found > 1 then
    local fitting = {}
    for _, node in ipairs(found) do
      local value = value_of(node)
      for _, each in ipairs(value and values or {}) do
        if M.same(value, each) then
          fitting[#fitting + 1] = node
          break
        end
      end
    end
    found = fitting
    if #found ~= 1 then return nil, "several elements are called so, and it is not known which one it was" end
  end
  if not found[1] then return nil, "the element is gone" end
  return found[1]
end


--- Returns the value, and the text of it.
---@param place table
---@param _? boolean
---@param values? table[]  values that it may have
---@return table? state
---@return string? content_or_err
---@return string? code
function M.state(place, _, values)
  local node, err = node_of(place, values)
  if not node then return nil, err end
  return value_of(node)
end


function M.same(one, other) return one.sha == other.sha and one.number == other.number end


function M.cannot(state) if state.large then return "its text is too long to be kept" end end


---@param place table
---@param before table
---@param content? string
---@param after? table
---@return true? ok
---@return string? err
---@return string? code
function M.restore(place, before, content, after)
  local node, err = node_of(place, { after })
  if not node then return nil, err end
  local change = before.number and { verb = "set_number", number = before.number } or { verb = "set_text", text = content or "" }
  local outcome, code
  outcome, err, code = element.act(node.id, change)
  if not outcome then return nil, err, code end
  local nodes = element.get { node.id }
  local now = nodes and not nodes[1].gone and value_of(nodes[1])
  if now and M.same(now, before) then return true end
  return nil, "its application agreed, and the value is another one all the same"
end


M.changed = "its value was changed since by something else"

return M
