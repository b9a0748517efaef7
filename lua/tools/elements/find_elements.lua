--- The elements of an application that a selector means.

local beginnings = require "desktop.beginnings"
local fail       = require "desktop.fail"
local json       = require "sys.json"
local pages      = require "desktop.pages"
local s          = require "schema"
local search     = require "elements.tools.search"
local tool       = require "elements.tools.shared"


---@param args table
---@param call Call
local function run(args, call)
  local wanted, err, code = search.selector(args)
  if not wanted then return fail.with(err, code) end
  if wanted.ref then return fail.with("find_elements takes a selector. For a ref, use get_element.", "bad_argument") end
  local nodes, place, snapshot = search.all(args, wanted)
  if not nodes then return fail.with(place, snapshot) end
  local page, token
  page, token, code = pages.cut(nodes, args, "ref")
  if not page then return fail.with(token, code) end
  local elements = json.array {}
  for i, node in ipairs(page) do elements[i] = tool.facts(node, place) end
  local hidden = #nodes == 0 and not args.hidden and search.hidden(place, snapshot, wanted) or {}
  local text = #hidden > 0 and search.text_of_hidden(hidden, wanted)
    or search.text(page, #nodes, token, snapshot, wanted)
  return call:result {
    content = { { type = "text", text = text } },
    structuredContent = { elements = elements, total_size = #nodes, next_page_token = token, cut = snapshot.cut or nil,
      not_shown = #hidden > 0 and #hidden or nil },
  }
end


local function words_parameter(description) return s.string(description, { optional = true, minLength = 1, maxLength = 1000 }) end


--- The parameter of a part of a selector.
local function part(description) return s.rare(words_parameter(description)) end


---@type Tool
return {
  title        = "Find elements",
  description  = "Find elements of an application by a selector, best match first; without one, each. Pass a ref from the result "
              .. "to click_element or write_element_value. For everything at once, use get_ui_tree.",
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
      default = 20 })) },
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

  about = { "focused", application = "application", window = "window", selector = "element" },
  run = beginnings.run(run),

  examples = {
    { "a field by the label beside it",
      shows = { { { 0, "window", "Notes" }, { 1, "label", "Name:", bounds = { x = 100, y = 300, width = 60, height = 24 } },
                  { 1, "entry", "", value = "Ada", bounds = { x = 170, y = 300, width = 200, height = 24 } } } },
      args  = { selector = 'entry near "Name:"' },
      has   = { 'Found 1 element that matches entry near "Name:":\ne3 entry "Name" ="Ada", in window "Notes"' },
      want  = { elements = { { ref = "e3", role = "entry", name = "Name", value = "Ada" } }, total_size = 1 } },
    { "in another element, and by a state",
      shows = { { { 0, "window", "Notes" }, { 1, "group", "More" }, { 2, "checkbox", "Wrap", states = { checked = true } } } },
      args  = { selector = 'checked in group "More"' }, want = { elements = { { ref = "e3" } } } },
    { "a word that is not a role", args = { selector = 'buton "Save"' }, err = "did you mean button", code = "INVALID_ARGUMENT" },
  },
}
