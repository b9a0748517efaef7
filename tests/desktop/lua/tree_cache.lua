--- tree_cache.lua PID TURNS SEED: presses, opens and selects what an application has, and each time holds the look that goes by
--- what is kept and by events against two that read everything, one before it and one after. Prints a line for each that differs
--- from both, and at last how many were compared.
local element = require "sys.element"

local pid, turns, seed = math.tointeger(tonumber((...))), tonumber((select(2, ...))), math.tointeger(tonumber((select(3, ...))))
math.randomseed(seed)

--- One element as a line of text. It leaves out the parent of a combo box's menu, which is in a window as well, and the
--- keyboard focus: a window manager may not have given it yet.
local function line(node)
  local states = {}
  for state in pairs(node.states) do
    if state ~= "active" and state ~= "focused" then states[#states + 1] = state end
  end
  table.sort(states)
  local parent = node.role == "menu" and node.name == "" and "" or node.parent or ""
  return ("%s %q in %s at %s of %s: %s"):format(node.native, node.name, parent, node.index or "-",
    node.children or "-", table.concat(states, ","))
end


local did = "nothing"

--- From the application's own element on nothing is kept.
local function look(hidden, root)
  local tree, err = element.tree { pid = not root and pid or nil, root = root, hidden = hidden, bounds = true, values = true,
    nodes = 20000 }
  if not tree then error(("after %s: %s"):format(did, err)) end
  local by_id = {}
  for _, node in ipairs(tree.nodes) do by_id[node.id] = line(node) end
  return by_id, tree
end


--- Until the application tells nothing more.
local function settle()
  local since = 0
  for _ = 1, 40 do
    local told = assert(element.changes { pid = pid, since = since, wait = 0.15 })
    if since ~= 0 and #told.events == 0 then return end
    since = told.next
  end
end


local function differences(kept, before, after)
  local list = {}
  for id, is in pairs(before) do
    if after[id] == is and kept[id] ~= is then list[#list + 1] = ("%s -> %s"):format(kept[id] or "nothing", is) end
  end
  for id, was in pairs(kept) do
    if not before[id] and not after[id] then list[#list + 1] = was .. " -> nothing" end
  end
  table.sort(list)
  return list
end


local PRESSED = { button = true, toggle = true, checkbox = true, radio = true, menu = true, menuitem = true, checkitem = true,
  radioitem = true, combobox = true, tab = true, cell = true, listitem = true }
--- A dialog that GTK 3 runs inside of an action keeps it from answering, hence none of those that open one.
local NEVER = { "...", "Quit", "Close", "Exit", "Minimi", "Print", "Detach", "Full", "Help", "About", "Contents" }

local function is_safe(node)
  for _, word in ipairs(NEVER) do
    if node.name:find(word, 1, true) then return false end
  end
  return PRESSED[node.role] and node.states.enabled and (node.abilities.act or node.role == "tab")
end


--- One that is shown, or now and then one in a closed menu.
local function do_something()
  local tree = assert(element.tree { pid = pid, hidden = math.random(4) == 1, actions = true })
  local able = {}
  for _, node in ipairs(tree.nodes) do
    if is_safe(node) then able[#able + 1] = node end
  end
  if #able == 0 then return "nothing" end
  local node = able[math.random(#able)]
  local change = { verb = "select" }
  if node.actions and node.actions[1] then change = { verb = "do", name = node.actions[1] } end
  element.act(node.id, change)
  return ("%s %q"):format(node.role, node.name)
end


local compared, kept_looks = 0, 0
local _, first = look(false)
local root = first.nodes[1].id
for turn = 1, turns do
  did = do_something()
  settle()
  local hidden = turn % 2 == 0
  local before = look(hidden, root)
  local kept, tree = look(hidden)
  local lines = differences(kept, before, (look(hidden, root)))
  if tree.route == "at-spi kept" then kept_looks = kept_looks + 1 end
  if #lines > 0 then print(("turn %d, after %s (%s): %d differ"):format(turn, did, hidden and "all" or "shown", #lines)) end
  for i = 1, math.min(5, #lines) do print("  " .. lines[i]) end
  compared = compared + 1
end
print(("compared %d, kept %d"):format(compared, kept_looks))
