--- Options of a combo box, a list, tabs or a group of radio buttons: all of them, and the chosen one.

local await     = require "elements.read.await"
local captions  = require "elements.read.captions"
local element   = require "sys.element"
local find      = require "elements.find.search"
local hands     = require "elements.read.hands"
local judge     = require "elements.read.judge"
local opened    = require "elements.choose.opened"
local press     = require "elements.press.ways"
local snapshots = require "elements.read.snapshot"
local target    = require "elements.find.target"
local words     = require "elements.read.words"

local M = {}

local MOST = 1000     -- options that are read
local OPENS = 0.6     -- seconds for the list of a combo box to open
local FIELD_MAX = 1000   -- characters of a field that may be an option's name

local function set(...)
  local roles = {}
  for _, role in ipairs { ... } do roles[role] = true end
  return roles
end

--- Roles of boxes, and of the options in them.
local OPTIONS = {
  combobox = set("listitem", "menuitem", "radioitem", "checkitem", "cell"), list = set("listitem"), tablist = set("tab"),
  tree = set("treeitem", "cell"), table = set("row", "cell"), group = set("radio", "listitem"), form = set("radio"),
  radio = set("radio"),
}


---@class elements.Options
---@field box elements.Node
---@field list elements.Node[]
---@field before? string  the option that was chosen
---@field shows boolean   the box itself shows the chosen option
---@field opened boolean  it was opened to be read, and is still open
---@field popup? elements.OpenedList  its list, if it has one only while it is open


--- The field in the element, or in groups in it.
---@param node elements.Node
---@return elements.Node?
function M.field_below(node)
  for _, each in ipairs(node.down or {}) do
    if each.role == "entry" and each.abilities.write and each.states.editable then return each end
    local below = each.role == "group" and M.field_below(each)
    if below then return below end
  end
end


--- The field of a combo box that also takes text that is not among its options; nil: it has none. In GTK 4 groups are around it.
---@param node elements.Node
---@return elements.Node?
function M.field(node)
  return node.role == "combobox" and not node.abilities.write and M.field_below(node) or nil
end


---@param node elements.Node
---@return boolean
function M.is_option(node) return OPTIONS.combobox[node.role] or false end


-- --- reading ---------------------------------------------------------------------------------------

--- The element below which options are read: for a radio button its group.
local function root_of(node) return node.role == "radio" and node.up or node end


--- The option that a box shows by its value, or by its name, as tabs of Qt do.
local function shown_text(box, list)
  local fresh = element.get { box.id }
  if not fresh or fresh[1].gone then return nil end
  local field = M.field(box)
  local held = field and element.text(field.id, { to = FIELD_MAX })
  for _, text in ipairs { held and held.text or fresh[1].value, fresh[1].name } do
    for _, option in ipairs(list) do
      if text ~= "" and captions.same(text, words.name(option)) then return words.name(option) end
    end
  end
end


--- The text of the box on its button, as an option's name.
local function button_text(options)
  local text = opened.shown(options.box)
  for _, option in ipairs(text and options.list or {}) do
    if captions.same(text, words.name(option)) then return words.name(option) end
  end
end


local function marked(node) return node.states.checked or node.states.selected or false end


--- The options whose state says that they are chosen. In a combo box the state only means that the pointer is over the option.
local function marked_options(options)
  local ids, found = {}, {}
  for i, option in ipairs(options.list) do ids[i] = option.id end
  for from = 1, #ids, 500 do
    local fresh = element.get(table.move(ids, from, math.min(#ids, from + 499), 1, {}))
    for i, each in ipairs(fresh or {}) do
      if not each.gone and marked(each) then found[#found + 1] = options.list[from + i - 1] end
    end
  end
  return found
end


--- The chosen option. If several are chosen: the one that is meant, otherwise the first.
local function marked_option(options, meant)
  local found = marked_options(options)
  for _, option in ipairs(found) do
    if option == meant then return words.name(option) end
  end
  return found[1] and words.name(found[1])
end


--- The option that is chosen now; nil: there is none, or the application does not report it.
---@param options elements.Options
---@param meant? elements.Node  the option to name, if several are chosen
---@return string?
function M.chosen(options, meant)
  if options.box.role == "tablist" then return marked_option(options, meant) or shown_text(options.box, options.list) end
  if options.box.role ~= "combobox" then return marked_option(options, meant) end
  if options.popup then return button_text(options) end
  local text = shown_text(options.box, options.list)
  options.shows = options.shows or text ~= nil
  return text or not options.shows and marked_option(options, meant) or nil
end


--- True for a label in the list of a combo box: Swing has its options so.
local function is_label(node, box)
  return box.role == "combobox" and node.role == "label" and node.up ~= nil and node.up.role == "list"
end


--- True for a row in the open list of a box of GTK 4, which takes keys only (elements.choose.opened).
local function is_opened_row(node, box)
  return box.role == "combobox" and node.up ~= nil and node.up.name == "GtkListView"
end


local function read_list(box)
  local roles = OPTIONS[box.role]
  local list, labels = {}, {}
  local part = roles and snapshots.take { pid = box.pid, root = root_of(box).id, hidden = true, nodes = MOST,
    background = box.background }
  for _, node in ipairs(part and part.nodes or {}) do
    local into = roles[node.role] and not is_opened_row(node, box) and list or is_label(node, box) and labels
    if into and words.name(node) ~= "" and not words.doubled(node) then into[#into + 1] = node end
  end
  return #list > 0 and list or labels
end


--- Opens a pop-up button of a Mac, which has its list only while it is open.
local function open_list(box)
  local action = box.native == "AXPopUpButton" and target.renew(box) and press.action(box)
  local since = action and await.mark(box.pid)
  if not action or not press.by_action(box, action) then return {} end
  return await.until_seen(box.pid, since, OPENS, function()
    local list = read_list(box)
    return #list > 0 and list or nil
  end) or {}
end


---@param box elements.Node
---@param open? boolean  opens a box that has its list only while open; choosing closes it again, or M.close()
---@return elements.Options? options
---@return string? err
---@return string? code  "not_supported": it has no options
function M.of(box, open)
  local list = read_list(box)
  local to_open = #list == 0 and open or false
  local popup, err, code
  if to_open then
    list = open_list(box)
    local button = #list == 0 and box.role == "combobox" and opened.button(box)
    if button and M.field(box) then
      return nil, ("%s does not tell its options. Write one of them with write_element_value: it has a field."):format(
        words.called(box)), "not_supported"
    end
    if button then
      popup, err, code = opened.open(box, button)
      if not popup then return nil, err, code end
      list = popup.list
    end
  end
  if #list == 0 then
    return nil, ("%s tells of no options. Pass a combo box, list, tab list or group of radio buttons."):format(words.called(box)),
      "not_supported"
  end
  local options = { box = box, list = list, shows = popup ~= nil, opened = to_open, popup = popup }
  options.before = M.chosen(options)
  return options
end


---@param box elements.Node
---@return boolean
function M.is_expanded(box)
  local fresh = element.get { box.id }
  return fresh ~= nil and not fresh[1].gone and fresh[1].states.expanded or false
end


--- Closes a list that was opened to be read.
---@param options elements.Options
function M.close(options)
  if options.popup then
    opened.close(options.box, options.popup.popup)
  elseif options.opened and M.is_expanded(options.box) then
    hands.keys(options.box, "escape")
  end
  options.opened = false
end


--- Narrows several options of the same name to those that are on. A row is omitted if a cell in it has that name.
local function likeliest(found)
  return find.prefer(find.innermost(found), function(node) return node.states.enabled end)
end


--- True if the application reports any option as on. Some applications report none in a closed list.
local function tells_enabled(options)
  for _, option in ipairs(options.list) do
    if option.states.enabled then return true end
  end
  return false
end


--- The option of that name, if it can be chosen.
---@param options elements.Options
---@param name string
---@return elements.Node? option
---@return string? err
---@return string? code  "bad_argument": no option has that name; "element_ambiguous", "element_disabled"
function M.find(options, name)
  local found = likeliest(captions.called(options.list, name))
  local option = found[1]
  if #found == 1 and (option.states.enabled or not tells_enabled(options)) then return option end
  M.close(options)
  local box = words.called(options.box)
  if not option and options.popup and options.popup.gap then
    local gap = options.popup.gap
    return nil, ("%s shows no option %s at the beginning or end of its list, and those between %s and %s were not read. Open it "
      .. "with click_element and go there by keys of create_input."):format(box, words.quote(name, 40),
      words.quote(words.name(options.list[gap]), 40), words.quote(words.name(options.list[gap + 1]), 40)), "bad_argument"
  end
  if not option then
    return nil, ("%s has no option %s. %s."):format(box, words.quote(name, 40), captions.suggest(options.list, name)),
      "bad_argument"
  end
  if #found == 1 then
    return nil, ("%s of %s is off: it cannot be chosen now."):format(words.called(option), box), "element_disabled"
  end
  if options.popup then
    return nil, ("%s has %d options %s. Open it with click_element and go to the one that you mean by keys of create_input.")
      :format(box, #found, words.quote(name, 40)), "element_ambiguous"
  end
  local refs = {}
  for i, each in ipairs(found) do refs[i] = each.ref or "?" end
  return nil, ("%s has %d options %s: %s. Click one by its ref with click_element."):format(box, #found, words.quote(name, 40),
    table.concat(refs, ", ")), "element_ambiguous"
end


-- --- the verdict -----------------------------------------------------------------------------------

local function others(options, option)
  local names = {}
  for _, each in ipairs(options.box.role ~= "combobox" and marked_options(options) or {}) do
    if each ~= option then names[#names + 1] = each end
  end
  return #names > 0 and ("; also chosen: %s"):format(captions.list(names, 5)) or ""
end


--- The verdict on a box of which the text never names an option. It may be an ID, as in boxes of GTK 3 with icons in their
--- options.
---@param box elements.Node
---@param wanted string   the option that was chosen
---@param held? string    the text of the box
---@param before? string  its text before
---@return elements.Verdict?  nil: the text names an option, or no option has that name
function M.of_id(box, wanted, held, before)
  local known = false
  local is_box = box.role == "combobox" and (held or "") ~= "" and (before or "") ~= ""
  for _, option in ipairs(is_box and read_list(box) or {}) do
    local name = words.name(option)
    if captions.same(name, held) or captions.same(name, before) then return nil end
    known = known or captions.same(name, wanted)
  end
  return known and { effect = "unknown", held = held,
    evidence = ("it %s %s, which names none of its options, but may stand for %s"):format(
      held == before and "still shows" or "shows", words.quote(held, 60), words.quote(wanted, 60)) } or nil
end


--- The request of a choice, and how its result is read back.
---@param options elements.Options
---@param option elements.Node
---@return elements.Asked
function M.asked(options, option)
  local shown = options.box.value
  local wanted, before = words.name(option), M.chosen(options, option)
  local function own(seen)
    local now = seen.now and M.chosen(options, option)
    if now and now ~= wanted and now ~= before then
      return { effect = "partial", evidence = ("another option is chosen now: %s"):format(words.quote(now, 60)) }
    end
    local told = seen.now and not now and M.of_id(seen.now, wanted, seen.now.value, shown) or judge.option(wanted, now, before)
    if now == wanted then told.evidence = told.evidence .. others(options, option) end
    return told
  end
  return { node = options.box, own = own, same = options.box.role == "combobox" and function(text)
    return captions.same(text, wanted)
  end or nil }
end


return M
