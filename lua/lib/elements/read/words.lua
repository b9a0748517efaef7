--- The words for elements: roles and their other names, states, and names fit for comparing and showing.

local element = require "sys.element"
local letters = require "letters"
local quoting = require "desktop.quoting"

local M = {}

---@param names string  separated by spaces
---@return table<string, true>
function M.set(names)
  local found = {}
  for name in names:gmatch "%S+" do found[name] = true end
  return found
end
local set = M.set


--- Roles that only contain others. Without a name they say nothing.
M.HOLDERS = set "group scrollarea form element toolbar menubar statusbar document canvas"

--- Roles that say nothing even with a name.
M.SILENT = set "separator scrollbar"

--- Roles of elements that a user works with.
M.WORKED = set("button toggle checkbox radio switch entry text password link combobox spin slider menu menuitem checkitem "
  .. "radioitem tab listitem cell treeitem header")

--- Roles of elements that are pressed, and may open something.
M.BUTTONS = set "button toggle"

--- Roles of elements that are one of several, and are chosen by selecting them.
M.CHOSEN = set "tab listitem treeitem row cell"

local SHEET = 10000   -- children from which on a table is a sheet

--- True for a cell of a spreadsheet. Selecting one does not move the cursor there, and keys go to the cursor.
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


--- True for a cell with its position as its name, as those of spreadsheets have: "C5".
---@param node sys.element.Node
---@return boolean
function M.is_of_sheet(node) return node.role == "cell" and node.name:find "^%u%u?%u?%d+$" ~= nil end


--- Roles of elements that begin something new: an opening is recognized by them.
M.TOPS = set "window dialog alert notification tooltip"


-- --- roles -----------------------------------------------------------------------------

local ROLES = {}
for _, role in ipairs(element.roles) do ROLES[role] = { [role] = true } end

--- Names that people, ARIA, AT-SPI and AX use for roles, without spaces and in lower case.
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


--- The roles that a word means; nil: it names none.
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


--- All names of roles, to suggest one.
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

--- The state that a word means, and whether the word says that it is set.
---@param word string
---@return string? state
---@return boolean? set
function M.state(word)
  local found = STATES[word:lower()]
  if found then return found[1], found[2] end
end


--- States that an outline shows, in this order. "off" comes first: it takes no input.
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

--- The text on one line, without placeholders of embedded objects, invisible characters and those that change the direction of
--- writing.
---@param text string
---@return string
function M.clean(text)
  if text:find "\u{FFFC}" then text = text:gsub("\u{FFFC}", " ") end
  text = quoting.plain(text)
  if not text:find "%s" then return text end
  return (text:gsub("%s+", " "):match "^ ?(.-) ?$")
end


--- The element's own name, cleaned; "" without one. GTK 4 names elements by their class, and some elements twice: "7 7",
--- "_Add Add".
---@param node sys.element.Node
---@return string
function M.own_name(node)
  local name = M.clean(node.name)
  if name:find "^Gtk%u%w*$" or name:find "^Adw%u%w*$" then return "" end
  local half = #name // 2
  if #name % 2 == 1 and name:sub(1, half) == name:sub(half + 2) and name:byte(half + 1) == 32 then return name:sub(1, half) end
  local again = #name % 2 == 0 and name:byte(half + 1) == 32 and name:sub(half + 2)
  if again and name:sub(1, half):gsub("_", "", 1) == again then return again end
  return name
end


--- The element's name, otherwise that of the label near it.
---@param node elements.Node
---@return string
function M.name(node)
  if node.label then return node.label end
  return M.own_name(node)
end


--- True if both are used alike: GTK calls a button that stays down a toggle.
---@param a elements.Node
---@param b elements.Node
---@return boolean
function M.alike(a, b)
  return a.role == b.role or M.BUTTONS[a.role] ~= nil and M.BUTTONS[b.role] ~= nil
end


--- True if a child is the same element once more. GTK 4 has a button or a toggle in its menu button, and cells are in cells.
--- The inner one works.
---@param node elements.Node
---@return boolean
function M.doubled(node)
  for _, child in ipairs(M.WORKED[node.role] and node.down or {}) do
    local named = M.name(node) ~= "" and M.name(child) == M.name(node)
    if M.alike(child, node) and (named or node.name ~= "" and child.name == node.name) then return true end
  end
  return false
end


--- The text for comparing: lower case, three points for the ellipsis character, no colon at the end.
---@param text string
---@return string
function M.fold(text)
  return (letters.fold(M.clean(text)):gsub("…", "..."):gsub("%s*:$", ""))
end


--- The text in quotes, cut to so many characters. Text of an application is data: it must not look like anything else.
---@param text string
---@param most integer
---@return string
function M.quote(text, most)
  return quoting.quote(M.clean(text), most)
end


--- The element for messages: `button "Save"`, or only its role if it has no name.
---@param node elements.Node
---@return string
function M.called(node)
  local name = M.name(node)
  if name == "" then return node.role end
  return node.role .. " " .. M.quote(name, 60)
end


return M
