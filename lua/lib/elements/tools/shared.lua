--- The parts that all tools for elements share: parameters, results, and their text.

local diff    = require "elements.read.diff"
local fail    = require "desktop.fail"
local json    = require "sys.json"
local names   = require "desktop.names"
local outline = require "elements.read.outline"
local s       = require "schema"
local windows = require "desktop.windows"
local words   = require "elements.read.words"

local M = {}


-- --- parameters ------------------------------------------------------------------------------

M.application = { "application", s.string("Name or ID. Default: the one with keyboard focus.",
  { optional = true, minLength = 1, maxLength = 1024 }) }

M.window = { "window", s.string("Only in this one: name or title.",
  { optional = true, minLength = 1, maxLength = 1024 }) }

--- The parameter of tools that act (elements.read.hands). It goes down to each element that is looked at.
M.background = { "background", s.rare(s.boolean(
  "true: by actions and set text alone, without the pointer or the focus; what needs them is refused.", { optional = true })) }

--- The parameter of tools that also read text from the screen.
M.source = { "source", s.rare(s.string('auto (default): the tree, else text recognition; tree; ocr; "ocr:deu".',
  { optional = true, pattern = "^(auto|tree|ocr(:[A-Za-z0-9_+]{1,100})?)$" })) }

M.rare_window = { "window", s.rare(s.string("Only in this window: resource name or title.",
  { optional = true, minLength = 1, maxLength = 1024 })) }

M.element = { "element", s.string('A ref (e12), or a selector: button "Save", entry near "Name:", button "OK" in dialog.',
  { minLength = 1, maxLength = 1000 }) }

--- The codes that every tool for elements has, and these.
---@param ... string
---@return table<string, string>
function M.codes(...)
  return fail.meanings("AMBIGUOUS_APP_IDENTIFIER", "AMBIGUOUS_WINDOW_IDENTIFIER", "APP_HUNG", "APP_NOT_FOUND", "INVALID_ARGUMENT",
    "NOT_SUPPORTED", "NO_ACCESSIBILITY", "NO_TREE", "WINDOW_NOT_FOUND", ...)
end


--- The codes of tools that act on one element.
M.acting_codes = M.codes("DIALOG_IN_FRONT", "ELEMENT_AMBIGUOUS", "ELEMENT_CHANGED", "ELEMENT_DISABLED", "ELEMENT_NOT_FOUND",
  "ELEMENT_REFUSED", "HELD", "INPUT_STOPPED", "NEEDS_FRONT", "NOT_IN_VIEW", "PERMISSION_DENIED_ACCESSIBILITY", "WINDOW_COVERED")


--- The codes of tools that choose from menus.
M.menu_codes = M.acting_codes


-- --- an element as facts -------------------------------------------------------------------------

M.schema = s.object({
  { "ref", s.string "Short name, for other tools." },
  { "role", s.string() },
  { "name", s.string() },
  { "value", s.string(nil, { optional = true }) },
  { "states", s.array(s.string(), "As off, checked, selected, focused.", { optional = true }) },
  { "bounds", windows.rect_schema("In points.", { optional = true }) },
  { "window", s.string("Its window's resource name.", { optional = true }) },
  { "source", s.string("ocr: read from the screen; role and states are not known.", { optional = true }) },
  { "confidence", s.number("Of ocr, 0 to 1.", { optional = true }) },
}, "An element.")


local function rounded(bounds)
  local function whole(n) return math.floor(n + 0.5) end
  return bounds and { x = whole(bounds.x), y = whole(bounds.y), width = whole(bounds.width), height = whole(bounds.height) }
end


local NAME_SHOWN = 500   -- characters of a name

--- The name for a list, shortened: a paragraph of a page has all of its text as its name.
local function short(name)
  local stop = #name > NAME_SHOWN and utf8.offset(name, NAME_SHOWN + 1)
  return stop and stop <= #name and name:sub(1, stop - 1) .. "…" or name
end


---@param node elements.Node
---@param place elements.Place
---@return table
function M.facts(node, place)
  local states = words.states(node)
  return {
    ref = node.ref, role = node.role, name = short(words.name(node)), value = node.value ~= "" and node.value or nil,
    source = node.source, confidence = node.confidence, states = #states > 0 and states or nil, bounds = rounded(node.bounds),
    window = node.window and names.window { pid = place.pid, started = place.started, id = node.window } or nil,
  }
end


M.line = outline.placed


-- --- results of acting tools ----------------------------------------------------------------------

local EFFECTS = { confirmed = "Confirmed", partial = "Partial", none_seen = "No effect seen", unknown = "Unknown effect" }

M.report_schema = s.object {
  { "element", s.string "Its ref." },
  { "route", s.string "How it was done: \"action click\", \"selection\", \"pointer at 10,20\", \"text\", \"keys\"." },
  { "effect", s.enum({ "confirmed", "partial", "none_seen", "unknown" }, "confirmed only if it was read back.") },
  { "evidence", s.string "What was read afterwards." },
  { "changes", s.array(s.string(), "What changed in the application: + came, ~ changed, - went.") },
  { "value", s.string("What it holds now.", { optional = true }) },
}


--- A report in words: the action and its effect, then the changes.
---@param did string  "Clicked"
---@param node elements.Node  as it was
---@param report elements.Report
---@return string
function M.told(did, node, report)
  local lines = { ("%s %s by %s. %s: %s."):format(did, (node.ref and node.ref .. " " or "") .. words.called(node), report.route,
    EFFECTS[report.effect], report.evidence) }
  table.move(report.changes, 1, #report.changes, 2, lines)
  return table.concat(lines, "\n")
end


--- The same as a table.
---@param node elements.Node
---@param report elements.Report
---@return table
function M.report(node, report)
  return { element = node.ref, route = report.route, effect = report.effect, evidence = report.evidence,
    changes = json.array(report.changes), value = report.value }
end


--- A report as a tool's result.
---@param call Call
---@param did string
---@param node elements.Node  as it was
---@param report elements.Report
function M.answer(call, did, node, report)
  return call:result { content = { { type = "text", text = M.told(did, node, report) } },
    structuredContent = M.report(node, report) }
end


M.annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false }
M.acting = { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true }
M.budget = diff.TOKENS

return M
