--- The elements of an application that a selector means.

local fail        = require "desktop.fail"
local find        = require "elements.find.search"
local json        = require "sys.json"
local looks       = require "testing.interface"
local pages       = require "desktop.pages"
local recognition = require "elements.read.recognition"
local s           = require "schema"
local selector    = require "elements.find.selector"
local target      = require "elements.find.target"
local tool        = require "elements.tool"

local PARTS = { "role", "text", "text_contains", "regex", "states", "within", "near", "index" }
local SIZE  = 20
local HIDDEN = 5    -- of those that are not shown, told where nothing else matches


--- The selector of the arguments: the line, and the parameters beside it.
local function selector_of(args)
  local parts = {}
  for _, name in ipairs(PARTS) do parts[name] = args[name] end
  if args.selector then return selector.join(args.selector, parts) end
  if not next(parts) then return nil, "Pass selector, role, text, text_contains, regex, states or near.", "bad_argument" end
  return selector.read(parts)
end


--- All that match: among what is shown, or (asked for, or in want of those) among all.
local function search(args, wanted)
  args.source = args.source or "auto"
  local place, err, code = target.place(args)
  if not place then return nil, err, code end
  local snapshot
  snapshot, err, code = target.look(place, { hidden = args.hidden })
  if not snapshot then return nil, err, code end
  local nodes
  snapshot = recognition.widen(snapshot, wanted)
  nodes, err, code = find.all(snapshot, wanted)
  if not nodes then return nil, err, code end
  return nodes, place, snapshot
end


--- What matches beside what is shown, if nothing that is shown does.
local function search_hidden(place, snapshot, wanted)
  if snapshot.source then return {} end
  local whole = target.look(place, { hidden = true })
  return whole and find.all(whole, wanted) or {}
end


local function text_of_hidden(nodes, described)
  local lines = { ("No element that is shown matches %s. Not shown, for example in a closed menu or scrolled out of "
    .. "sight (hidden=true lists all):"):format(described) }
  for i = 1, math.min(#nodes, HIDDEN) do lines[i + 1] = "  " .. tool.line(nodes[i]) end
  if #nodes > HIDDEN then lines[#lines + 1] = ("  ... %d more"):format(#nodes - HIDDEN) end
  return table.concat(lines, "\n")
end


local function text_of(nodes, total, token, snapshot, wanted)
  local described = selector.describe(wanted)
  if total == 0 then
    local lines = { ("No element matches %s."):format(described) }
    for _, told in ipairs { find.unread(snapshot) or "", find.unsearched(snapshot, wanted) or "" } do
      if told ~= "" then lines[1] = ("%s %s"):format(lines[1], told) end
    end
    if snapshot.source then lines[1] = ("%s %s"):format(lines[1], snapshot.note) end
    for i, node in ipairs(find.nearest(snapshot, wanted)) do
      if i == 1 then lines[1] = lines[1] .. " Nearest:" end
      lines[#lines + 1] = "  " .. tool.line(node)
    end
    return table.concat(lines, "\n")
  end
  local lines = { ("%d element%s match%s %s:"):format(total, total == 1 and "" or "s", total == 1 and "es" or "", described) }
  for i, node in ipairs(nodes) do lines[i + 1] = tool.line(node) end
  return pages.text(table.concat(lines, "\n"), nodes, total, token)
end


---@param args table
---@param call Call
local function run(args, call)
  local wanted, err, code = selector_of(args)
  if not wanted then return fail.with(err, code) end
  if wanted.ref then return fail.with("find_elements takes a selector. For a ref, use get_element.", "bad_argument") end
  local nodes, place, snapshot = search(args, wanted)
  if not nodes then return fail.with(place, snapshot) end
  local page, token
  page, token, code = pages.cut(nodes, args, "ref")
  if not page then return fail.with(token, code) end
  local elements = json.array {}
  for i, node in ipairs(page) do elements[i] = tool.facts(node, place) end
  local hidden = #nodes == 0 and not args.hidden and search_hidden(place, snapshot, wanted) or {}
  local text = #hidden > 0 and text_of_hidden(hidden, selector.describe(wanted)) or text_of(page, #nodes, token, snapshot, wanted)
  return call:result {
    content = { { type = "text", text = text } },
    structuredContent = { elements = elements, total_size = #nodes, next_page_token = token, cut = snapshot.cut or nil,
      not_shown = #hidden > 0 and #hidden or nil },
  }
end


local function words_parameter(description) return s.string(description, { optional = true, minLength = 1, maxLength = 1000 }) end

--- A part of what a selector says.
local function part(description) return s.rare(words_parameter(description)) end

local FORM = { { 0, "window", "Notes" }, { 1, "label", "Name:", bounds = { x = 100, y = 300, width = 60, height = 24 } },
  { 1, "entry", "", value = "Ada", states = { focused = true }, bounds = { x = 170, y = 300, width = 200, height = 24 } },
  { 1, "button", "Save" }, { 1, "group", "More" }, { 2, "button", "Save as" },
  { 2, "checkbox", "Wrap", states = { checked = true } } }


---@type Tool
return {
  title        = "Find elements",
  description  = "Find buttons, fields and other elements of an application by a selector, best match first. Pass a ref from the "
              .. "result to click_element or write_element_value. For everything at once, use get_ui_tree.",
  inputSchema  = s.object {
    tool.application, tool.window, tool.source,
    { "selector", words_parameter 'button "Save", entry near "Name:", checkbox checked in dialog "Print", text*="part", /^Sa/' },
    { "role", part "As button, entry, checkbox, link, menuitem; also AXButton." },
    { "text", part "The whole name or value, in any case." },
    { "text_contains", part "Part of the name or value, in any case." },
    { "regex", part "A regular expression for the name or value." },
    { "states", s.rare(s.array(s.string(), "As checked, not enabled, focused, selected.", { optional = true, maxItems = 10 })) },
    { "within", part "Only in what this selector means." },
    { "near", part "A label's text; the nearest come first." },
    { "index", s.rare(s.integer("Only this one of those that match, counted from the top of the interface.",
      { optional = true, minimum = 1 })) },
    { "hidden", s.boolean("Also what is not shown, as items of closed menus.", { optional = true }) },
    { "page_size", s.rare(s.integer("Maximum number of results.", { optional = true, minimum = 1, maximum = 500,
      default = SIZE })) },
    { "page_token", s.string("next_page_token from the previous page.", { optional = true, maxLength = 200 }) },
  },
  outputSchema = s.object {
    { "elements", s.array(tool.schema, "Best match first.") },
    { "cut", s.boolean("True if the application has more elements than were read.", { optional = true }) },
    { "not_shown", s.integer("How many match that are not shown.", { optional = true }) },
    table.unpack(pages.results()),
  },
  annotations  = tool.annotations,
  keeps        = true,  -- the refs
  codes        = tool.codes("PATTERN_TOO_COSTLY"),

  run = run,

  examples = {
    { "a field by the label beside it",
      given = looks.stubs(FORM), args = { selector = 'entry near "Name:"' },
      has   = { '1 element matches entry near "Name:":\ne3 entry "Name" ="Ada" focused, in window "Notes"' },
      want  = { elements = { { ref = "e3", role = "entry", name = "Name", value = "Ada", states = { "focused" },
                bounds = { x = 170, y = 300, width = 200, height = 24 }, window = "applications/7/windows/3" } },
                total_size = 1 } },
    { "the whole name comes before a part of it",
      given = looks.stubs(FORM), args = { text_contains = "save", page_size = 1 },
      want  = { elements = { { ref = "e4", name = "Save" } }, total_size = 2, next_page_token = "1:e4" } },
    { "in another element, and by a state",
      given = looks.stubs(FORM), args = { selector = 'checked in group "More"' }, want = { elements = { { ref = "e7" } } } },
    { "by a regular expression",
      given = looks.stubs(FORM), args = { role = "AXButton", regex = "as$" }, want = { elements = { { ref = "e6" } } } },
    { "none that is shown: what is scrolled out of sight or in a closed menu is told",
      given = looks.with(looks.stubs(FORM), { ["sys.element.tree"] = function(query)
        local tree = looks.tree { { 0, "window", "Notes" }, { 1, "menu", "File" }, { 2, "menuitem", "Save as" } }
        tree.nodes[3].states.shown = nil
        if not query.hidden then tree.nodes[3] = nil end
        return tree
      end }), args = { selector = 'menuitem "Save as"' },
      has   = { 'No element that is shown matches menuitem "Save as". Not shown, for example in a closed menu or scrolled out '
                .. 'of sight (hidden=true lists all):\n  e3 menuitem "Save as"' },
      want  = { elements = {}, total_size = 0, not_shown = 1 } },
    { "none: the nearest are named",
      given = looks.stubs(FORM), args = { selector = 'button "Sve"' },
      has   = { 'No element matches button "Sve". Nearest:\n  e4 button "Save", in window "Notes"' }, want = { total_size = 0 } },
    { "none, in a look that read only a part: it says so, and how to go on",
      given = looks.with(looks.stubs(FORM), { ["sys.element.tree"] = function()
        local tree = looks.tree { { 0, "window", "Sums" }, { 1, "table", "Sheet 1" }, { 2, "cell", "A1" } }
        tree.nodes[2].children, tree.cut = 1 << 30, true
        return tree
      end }), args = { selector = 'cell "ZZ99"' },
      has   = { 'No element matches cell "ZZ99". Only 3 elements were looked at: the application has more (cut). e2 table '
                .. '"Sheet 1" holds 1073741823 that were not read: scroll in it, or pass window, and look again.' },
      want  = { total_size = 0, cut = true } },
    { "an application without a tree is read from the screen; a word of a line has its own place",
      given = looks.read { "File Edit", "Ready to print" }, args = { selector = '"Ready"' },
      has   = { '1 element matches "Ready":\ne4 label "Ready" ocr 90%, in window "Notes"' },
      want  = { elements = { { role = "label", source = "ocr", confidence = 0.9, bounds = { x = 100, y = 160, width = 40,
                height = 10 } } }, total_size = 1 } },
    { "which tells no roles",
      given = looks.read { "Save" }, args = { selector = 'button "Save"' }, has = { "roles and states are not known" },
      want  = { total_size = 0 } },
    { "only from the tree",
      given = looks.read { "Save" }, args = { selector = '"Save"', source = "tree" }, err = "tells nothing of its interface",
      code  = "NO_TREE" },
    { "a word that is not a role",
      given = {}, args = { selector = 'buton "Save"' }, err = 'did you mean button', code = "INVALID_ARGUMENT" },
    { "without a selector", given = {}, args = {}, err = "Pass selector", code = "INVALID_ARGUMENT" },
  },
}
