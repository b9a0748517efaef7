--- For the examples of tools: small interfaces, and stubs that show them one after the other.

local M = {}

local PID, STARTED, WINDOW = 7, 70, 3

local ABILITIES = {
  button = { act = true, focus = true }, checkbox = { act = true, focus = true }, menuitem = { act = true },
  entry = { act = true, read = true, write = true, focus = true }, label = { read = true },
  slider = { count = true, focus = true }, list = { select = true },
}
local ACTIONS = { button = { "click" }, checkbox = { "click" }, menuitem = { "click" }, entry = { "activate" } }


--- Returns a tree of `rows`, which are { depth, role, name, more members }: nodes as in sys.element, in a frontmost window. Ids
--- count up from 1 unless a row has another.
---@param rows table[]
---@return sys.element.Tree
function M.tree(rows)
  local nodes, at = {}, {}
  for i, row in ipairs(rows) do
    local role = row[2]
    local node = { id = i, pid = PID, window = WINDOW, role = role, native = role, name = row[3] or "", value = "",
      depth = row[1], index = 0, children = 0, listed = 0, states = { enabled = true, shown = true },
      abilities = ABILITIES[role] or {}, actions = ACTIONS[role] or {},
      bounds = { x = 100, y = 100 + 30 * i, width = 80, height = 24 } }
    for key, value in pairs(row) do
      if type(key) == "string" and key ~= "states" then node[key] = value end
    end
    for state, set in pairs(row.states or {}) do node.states[state] = set or nil end
    if role == "window" then node.states.active, node.bounds = true, { x = 90, y = 90, width = 400, height = 600 } end
    local parent = at[row[1] - 1]
    if parent then
      node.parent, node.index = parent.id, parent.children
      parent.children, parent.listed = parent.children + 1, parent.listed + 1
    end
    at[row[1]], nodes[i] = node, node
  end
  return { nodes = nodes, cut = false, route = "cache" }
end


--- Cuts a tree to its first nodes, as if the time was over when these were read.
---@param tree sys.element.Tree
---@param count integer
---@return sys.element.Tree
function M.late(tree, count)
  for i = #tree.nodes, count + 1, -1 do tree.nodes[i] = nil end
  tree.cut, tree.late = true, true
  return tree
end


local function copied(value)
  if type(value) ~= "table" then return value end
  local copy = {}
  for key, each in pairs(value) do copy[key] = copied(each) end
  return copy
end


--- Returns the stubs of sys.element, which show the trees one after the other, and then the last one.
---@param ... table[]  rows of M.tree()
---@return table<string, any>
function M.stubs(...)
  local looks, n = { ... }, 0
  local current
  return {
    ["sys.window.list"] = function()
      return { { pid = PID, started = STARTED, id = WINDOW, title = "Notes", app = "Editor", focused = true, on_screen = true,
        frame = { x = 90, y = 90, width = 400, height = 600 } } }
    end,
    ["sys.window.over"] = false,
    ["sys.app.get"] = { pid = PID, started = STARTED, name = "Editor", id = "editor", path = "", active = true, windows = 1 },
    ["sys.element.tree"] = function(query)
      if not query.root and not query.hidden then n = math.min(n + 1, #looks) end
      current = M.tree(looks[n])
      return copied(current)
    end,
    ["sys.element.get"] = function(ids)
      local by_id, list = {}, {}
      for _, node in ipairs(M.tree(looks[math.max(n, 1)]).nodes) do by_id[node.id] = node end
      for i, id in ipairs(ids) do list[i] = by_id[id] or { id = id, gone = true } end
      return list
    end,
    ["sys.element.changes"] = { events = {}, next = 1, missed = 0 },
    ["sys.time.load"] = 0,      -- waits are as long as where nothing else runs
    ["sys.clipboard.changes"] = { next = 1, changed = false },
    ["sys.ocr.read"] = { n = 3, false, "this build has no text recognition", "not_built" },
    ["sys.element.act"] = { agreed = true, route = "at-spi action click" },
    ["sys.input.click"] = { sent = 2 },
    ["sys.desktop.held"] = { n = 1, false },
  }
end


--- Returns the stubs of a window without a tree: the strings are recognized in it, from top to bottom, with a confidence of
--- 0.9.
---@param ... string[]  one look after the other; the last one stays
---@return table<string, any>
function M.read(...)
  local looks, n = { ... }, 0
  return M.with(M.stubs {}, {
    ["sys.element.tree"] = { n = 3, false, "process 7 tells nothing of its interface", "no_tree" },
    ["sys.time.sleep"] = true, ["sys.input.click"] = { sent = 2 },
    ["sys.ocr.read"] = function()
      n = math.min(n + 1, #looks)
      local list = {}
      for i, text in ipairs(looks[n]) do
        local x = 100
        for word in text:gmatch "%S+" do
          list[#list + 1] = { text = word, x = x, y = 100 + 30 * i, width = 8 * #word, height = 10, confidence = 0.9, label = i }
          x = x + 8 * #word + 6
        end
      end
      return { words = list, labels = #looks[n], recognized = 0, cut = false, scale = 1, route = "shm" }
    end })
end


--- Returns the stubs of an interface that reacts. `draw` returns the present rows. `did` is told each action: the name of the
--- pressed element, "key escape", or the written text and its field.
---@param draw fun(): table[]
---@param did fun(what: string, value?: string)
---@return table<string, any>
function M.live(draw, did)
  local stubs = M.stubs {}
  local function nodes() return M.tree(draw()).nodes end
  stubs["sys.element.tree"] = function() return M.tree(draw()) end
  stubs["sys.element.get"] = function(ids)
    local now, list = nodes(), {}
    for i, id in ipairs(ids) do list[i] = now[id] or { id = id, gone = true } end
    return list
  end
  stubs["sys.element.act"] = function(id, change)
    if change.verb ~= "focus" and change.verb ~= "show" then did(nodes()[id].name, change.text) end
    return { agreed = true, route = "at-spi" }
  end
  stubs["sys.element.text"] = function(id)
    local text = nodes()[id].value
    return { text = text, length = #text, from = 0, to = #text }
  end
  stubs["sys.input.click"] = function(_, y)   -- every row has a place of its own
    did(nodes()[(y - 112) // 30].name)
    return { sent = 2 }
  end
  stubs["sys.input.keys"] = function(keys)
    did("key " .. keys)
    return { sent = 2 }
  end
  stubs["sys.window.focus"] = { done = true }
  return stubs
end


--- Returns the stubs of an interface that shows the first look, and the next one after each action; the last one stays.
--- Examples get them by `shows`.
---@param looks table[][]  rows of M.tree()
---@return table<string, any>
function M.shown(looks)
  local n = 1
  local function now() return M.tree(looks[n] or {}) end
  local function did(result)
    return function()
      n = math.min(n + 1, #looks)
      return copied(result)
    end
  end
  local function node(id)
    for _, each in ipairs(now().nodes) do
      if each.id == id then return each end
    end
    return { id = id, gone = true }
  end
  local stubs, act = M.stubs {}, did { agreed = true, route = "at-spi action click" }
  for _, kind in ipairs { "click", "drag", "keys", "type", "paste" } do stubs["sys.input." .. kind] = did { sent = 2 } end
  stubs["sys.input.drop"] = did { sent = 1, route = "xdnd copy" }
  return M.with(stubs, {
    ["sys.element.tree"] = now,
    ["sys.element.get"] = function(ids)
      local list = {}
      for i, id in ipairs(ids) do list[i] = node(id) end
      return list
    end,
    ["sys.element.text"] = function(id)
      local text = node(id).value or ""
      return { text = text, length = utf8.len(text), from = 0, to = utf8.len(text) }
    end,
    ["sys.element.act"] = function(_, change)
      return (change.verb == "focus" or change.verb == "show") and { agreed = true, route = "at-spi" } or act()
    end,
    ["sys.window.changed"] = "1", ["sys.window.focus"] = { done = true },
  })
end


--- Adds further stubs, which override the first ones.
---@param stubs table<string, any>
---@param more table<string, any>
---@return table<string, any>
function M.with(stubs, more)
  for key, value in pairs(more) do stubs[key] = value end
  return stubs
end


return M
