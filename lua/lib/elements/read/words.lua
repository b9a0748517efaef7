--- What elements are called: roles and their other names, states, and names fit to be compared and shown.

local element = require "sys.element"
local letters = require "letters"
local quoting = require "desktop.quoting"

local M = {}

---@param names string  parted by spaces
---@return table<string, true>
function M.set(names)
  local found = {}
  for name in names:gmatch "%S+" do found[name] = true end
  return found
end
local set = M.set


--- Roles that only hold others. Without a name they say nothing.
M.HOLDERS = set "group scrollarea form element toolbar menubar statusbar document canvas"

--- Roles that say nothing even with a name.
M.SILENT = set "separator scrollbar"

--- Roles that are worked with.
M.WORKED = set("button toggle checkbox radio switch entry text password link combobox spin slider menu menuitem checkitem "
  .. "radioitem tab listitem cell treeitem header")

--- Roles that are pressed, and may open something.
M.BUTTONS = set "button toggle"

--- Roles of one of several, which is chosen by selecting it.
M.CHOSEN = set "tab listitem treeitem row cell"

local SHEET = 10000   -- children of a table that is one

--- Whether it is a cell of a spreadsheet. To select one does not move the cursor there, which tells where keys go.
---@param node elements.Node
---@return boolean
function M.in_sheet(node)
  local at = node.role == "cell" and node.up or nil
  while at do
    if at.native == "document spreadsheet" or at.role == "table" and at.states.virtual and (at.children or 0) > SHEET then
      return true
    end
    at = at.up
  end
  return false
end


--- Roles that begin something new: what opens is told by them.
M.TOPS = set "window dialog alert notification tooltip"


-- --- roles -----------------------------------------------------------------------------

local ROLES = {}
for _, role in ipairs(element.roles) do ROLES[role] = { [role] = true } end

--- What people, ARIA, AT-SPI and AX call them, without spaces and in small letters.
local OTHERS = {
  pushbutton = "button", popupbutton = "combobox", togglebutton = "toggle", check = "checkbox", radiobutton = "radio",
  textfield = "entry", textbox = "entry", input = "entry", edit = "entry", searchfield = "entry", textarea = "text",
  passwordtext = "password", securetextfield = "password", statictext = "label", hyperlink = "link", combo = "combobox",
  dropdown = "combobox", select = "combobox", spinbutton = "spin", spinner = "spin", stepper = "spin", incrementor = "spin",
  range = "slider", progressbar = "progress", checkmenuitem = "checkitem", radiomenuitem = "radioitem", pagetab = "tab",
  pagetablist = "tablist", tabgroup = "tablist", listbox = "list", outline = "tree", tablecell = "cell", gridcell = "cell",
  columnheader = "header", rowheader = "header", frame = "window", sheet = "dialog", messagebox = "alert", img = "image",
  icon = "image", panel = "group", filler = "group", article = "document", webarea = "document",
  field = "entry text password spin combobox", option = "listitem menuitem", item = "listitem menuitem treeitem",
}


--- The roles that are meant; nil: the word is none.
---@param word string
---@return table<string, true>?
function M.roles(word)
  local plain = word:lower():gsub("[%s_%-]", "")
  local known = ROLES[plain] or OTHERS[plain]
  if not known and plain:find "^ax." then
    plain = plain:sub(3)
    known = ROLES[plain] or OTHERS[plain]
  end
  return type(known) == "string" and set(known) or known
end


--- All of them, to suggest one.
---@return string[]
function M.role_names()
  local names = table.move(element.roles, 1, #element.roles, 1, {})
  for name in pairs(OTHERS) do names[#names + 1] = name end
  table.sort(names)
  return names
end


-- --- states ----------------------------------------------------------------------------

local STATES = { off = { "enabled", false }, disabled = { "enabled", false }, hidden = { "shown", false },
  visible = { "shown", true }, unchecked = { "checked", false }, collapsed = { "expanded", false } }
for _, state in ipairs(element.states) do STATES[state] = { state, true } end

--- A state, and whether the word says that it is set.
---@param word string
---@return string? state
---@return boolean? set
function M.state(word)
  local found = STATES[word:lower()]
  if found then return found[1], found[2] end
end


--- What an outline says of them, in this order. Off: it takes no input.
local SHOWN = { "checked", "mixed", "selected", "expanded", "pressed", "focused", "busy", "invalid" }

---@param node elements.Node
---@return string[]
function M.states(node)
  local words = {}
  if not node.states.enabled and M.WORKED[node.role] then words[1] = "off" end
  for _, state in ipairs(SHOWN) do
    if node.states[state] then words[#words + 1] = state end
  end
  if node.states.active and M.TOPS[node.role] then words[#words + 1] = "active" end
  return words
end


-- --- names -----------------------------------------------------------------------------

--- On one line, without what stands for embedded objects, what nobody sees and what turns the direction of writing.
---@param text string
---@return string
function M.clean(text)
  if text:find "\u{FFFC}" then text = text:gsub("\u{FFFC}", " ") end
  text = quoting.plain(text)
  if not text:find "%s" then return text end
  return (text:gsub("%s+", " "):match "^ ?(.-) ?$")
end


--- Its own name, cleaned; "" where there is none. GTK 4 calls elements by their class, and others twice: "7 7".
---@param node sys.element.Node
---@return string
function M.own_name(node)
  local name = M.clean(node.name)
  if name:find "^Gtk%u%w*$" or name:find "^Adw%u%w*$" then return "" end
  local half = #name // 2
  if #name % 2 == 1 and name:sub(1, half) == name:sub(half + 2) and name:byte(half + 1) == 32 then return name:sub(1, half) end
  return name
end


--- What it is called: its name, else that of the label near it.
---@param node elements.Node
---@return string
function M.name(node)
  if node.label then return node.label end
  return M.own_name(node)
end


--- Whether both are worked alike: GTK calls a button that stays down a toggle.
---@param a elements.Node
---@param b elements.Node
---@return boolean
function M.alike(a, b)
  return a.role == b.role or M.BUTTONS[a.role] ~= nil and M.BUTTONS[b.role] ~= nil
end


--- Whether one in it is the same once more: GTK 4 has a button or a toggle in its menu button, and cells are in cells. The inner
--- one works.
---@param node elements.Node
---@return boolean
function M.doubled(node)
  for _, child in ipairs(M.WORKED[node.role] and node.down or {}) do
    local named = M.name(node) ~= "" and M.name(child) == M.name(node)
    if M.alike(child, node) and (named or node.name ~= "" and child.name == node.name) then return true end
  end
  return false
end


--- For comparing: small letters, three points for the one sign, no colon at the end.
---@param text string
---@return string
function M.fold(text)
  return (letters.fold(M.clean(text)):gsub("…", "..."):gsub("%s*:$", ""))
end


--- In quotes, cut after so many characters. What an application says is data: it must not look like anything else.
---@param text string
---@param most integer
---@return string
function M.quote(text, most)
  return quoting.quote(M.clean(text), most)
end


--- `button "Save"`, `entry near "Name"`.
---@param node elements.Node
---@return string
function M.called(node)
  local name = M.name(node)
  if name == "" then return node.role end
  return node.role .. " " .. M.quote(name, 60)
end


return M
