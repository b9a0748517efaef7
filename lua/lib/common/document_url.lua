--- The URL of the page that a browser's window shows, as its document tells it on the bus of accessibility: the address bar
--- leaves parts out.

local dbus = require "sys.dbus"

local M = {}

local ACCESSIBLE, DOCUMENT = "org.a11y.atspi.Accessible", "org.a11y.atspi.Document"
local ROOT = "/org/a11y/atspi/accessible/root"
local BUS = { to = "org.freedesktop.DBus", path = "/org/freedesktop/DBus", interface = "org.freedesktop.DBus" }

local SECONDS = 3       -- for the answers of one level
local DEPTH = 24        -- levels below the application; documents of Chromium and Firefox are at most 16 below
local NODES = 4000      -- elements that are asked

-- Numbers of AT-SPI: roles, and places in the bits of the states.
local DOCUMENT_ROLES = { [82] = true, [95] = true }   -- frame, web
local ATTRIBUTES = { "DocURL", "URI" }                 -- of Firefox and WebKit, of Chromium
local ACTIVE, SHOWING = 1, 25


local function question(node, member, interface, signature, ...)
  return { to = node[1], path = node[2], interface = interface or ACCESSIBLE, member = member, signature = signature,
    args = { ... } }
end


--- Asks all of these nodes the same. Returns the first value of each answer, by the places of the nodes.
local function ask(bus, nodes, member, interface, signature, ...)
  local calls, values = {}, {}
  for i, node in ipairs(nodes) do calls[i] = question(node, member, interface, signature, ...) end
  local answers = #calls > 0 and dbus.calls(bus, calls, { timeout = SECONDS }) or {}
  for i, answer in ipairs(answers) do values[i] = answer.values and answer.values[1] end
  return values
end


local function has_state(bits, place)
  local word = type(bits) == "table" and bits[place // 32 + 1] or 0
  return word >> place % 32 & 1 == 1
end


--- The address of the bus of accessibility; nil: there is none now.
local function address()
  local answers = dbus.calls("session", { { to = "org.a11y.Bus", path = "/org/a11y/bus", interface = "org.a11y.Bus",
    member = "GetAddress" } })
  local said = answers and answers[1].values
  return said and said[1] ~= "" and said[1] or nil
end


--- The root of the application with this process id.
local function application(bus, pid)
  local apps = ask(bus, { { "org.a11y.atspi.Registry", ROOT } }, "GetChildren")[1] or {}
  local calls = {}
  for i, each in ipairs(apps) do
    calls[i] = { to = BUS.to, path = BUS.path, interface = BUS.interface, member = "GetConnectionUnixProcessID", signature = "s",
      args = { each[1] } }
  end
  for i, answer in ipairs(#calls > 0 and dbus.calls(bus, calls) or {}) do
    if answer.values and answer.values[1] == pid then return apps[i] end
  end
end


--- The windows of the application, that with this title alone if one has it: the active one first.
local function frames(bus, root, title)
  local found = ask(bus, { root }, "GetChildren")[1] or {}
  local names = ask(bus, found, "Get", "org.freedesktop.DBus.Properties", "ss", ACCESSIBLE, "Name")
  local states, titled, active, others = ask(bus, found, "GetState"), {}, {}, {}
  for i, each in ipairs(found) do
    local list = names[i] == title and titled or has_state(states[i], ACTIVE) and active or others
    list[#list + 1] = each
  end
  if #titled == 1 then return titled end
  return table.move(others, 1, #others, #active + 1, active)
end


--- The document that is shown nearest below a window.
local function document(bus, frame)
  local level, asked = { frame }, 0
  for _ = 1, DEPTH do
    local roles, states = ask(bus, level, "GetRole"), ask(bus, level, "GetState")
    local shown = {}
    for i, node in ipairs(level) do
      local is_shown = has_state(states[i], SHOWING)
      if is_shown and DOCUMENT_ROLES[roles[i]] then return node end
      if is_shown then shown[#shown + 1] = node end
    end
    level = {}
    for _, children in pairs(ask(bus, shown, "GetChildren")) do
      for _, child in ipairs(children) do level[#level + 1] = child end
    end
    asked = asked + #level
    if #level == 0 or asked > NODES then return nil end
  end
end


--- Returns the URL of the document in a window; nil if the application tells of none.
---@param pid integer
---@param title string  of the window
---@return string? url
function M.of(pid, title)
  local bus = address()
  local root = bus and application(bus, pid)
  for _, frame in ipairs(root and frames(bus, root, title) or {}) do
    local found = document(bus, frame)
    for _, name in ipairs(found and ATTRIBUTES or {}) do
      local url = ask(bus, { found }, "GetAttributeValue", DOCUMENT, "s", name)[1]
      if url and url ~= "" then return url end
    end
  end
end


return M
