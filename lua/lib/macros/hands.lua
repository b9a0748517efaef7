--- All that a macro does outside of itself goes through perform(): an example that answers it runs the macro without a desktop.
--
-- What acts is a call of a tool, for the macro's caller: the policy judges each step as it judges that call.

local crypto   = require "sys.crypto"
local failure  = require "macros.failure"
local identity = require "macros.identity"
local modal    = require "elements.read.modal"
local names    = require "desktop.names"
local policy   = require "sys.policy"
local targets  = require "macros.target"
local tools    = require "tools"
local windows  = require "macros.windows"
local words    = require "elements.read.words"

local M = {}

local CHECKS, WAITS, LONGEST = 2, 10, 55   -- seconds
local OPENS = 60                           -- seconds for the first window of an application, on a busy machine

---@class macros.Deed
---@field kind string
---@field window? string     resource name
---@field element? string    selector
---@field known? macros.Known
---@field unseen? boolean    its effect need not be seen
---@field [string] any       more by kind

---@class macros.Outcome
---@field evidence string
---@field window? string
---@field result? any


-- --- tools -----------------------------------------------------------------------------------------------

--- The structured part of a tool's result.
local function facts_of(result)
  if type(result) ~= "table" then return {} end
  return type(result.structuredContent) == "table" and result.structuredContent or result
end


local function missing(evidence)
  evidence = evidence or "nothing was told"
  local advice = evidence:find("look", 1, true) and "" or ". Look at the application before you do it again"
  return nil, ("Its effect was not seen: %s%s"):format((evidence:gsub("%.$", "")), advice), "MACRO_EFFECT_MISSING"
end


local function is_seen(deed, effect) return deed.unseen or effect == "confirmed" or effect == "partial" end


--- Does steps of act in the window of a deed.
local function act(deed, steps, before)
  before()
  local result, err, code = tools.act { steps = steps, window = deed.window }
  if not result then return nil, err, code end
  local facts = facts_of(result)
  local last = (facts.steps or {})[#(facts.steps or {})] or {}
  if facts.done then return { evidence = last.evidence or "" } end
  if last.code and last.code ~= "TIMEOUT" then return nil, last.evidence, last.code end
  if deed.unseen then return { evidence = last.evidence or "" } end
  return missing(last.evidence)
end


--- Calls a tool that reports an effect.
local function effect_of(deed, tool, args, before)
  before()
  local result, err, code = tools[tool](args)
  if not result then return nil, err, code end
  local facts = facts_of(result)
  if not is_seen(deed, facts.effect) then return missing(facts.evidence) end
  return { evidence = facts.evidence or "", facts = facts }
end


-- --- kinds -----------------------------------------------------------------------------------------------

local KINDS = {}

--- Reads the macro's file, and what is recorded of its steps.
function KINDS.begin(deed)
  local path = policy.file(deed.call)
  local text = path and policy.code(path)
  local dry = policy.dry_run() or nil
  if not path or not text then return { evidence = "", dry = dry } end
  local place = path:gsub("%.lua$", "") .. ".steps.json"
  local recorded = policy.code(place)
  local known, err
  if recorded then
    known, err = identity.read(recorded)
    if not known then
      return nil, ("%s cannot be used: %s. Correct it, or remove it: the macro then runs without what was recorded"):format(place,
        err), "MACRO_OTHER_ELEMENT"
    end
  end
  local locale = known and known.locale
  if locale and locale ~= identity.locale() then
    return nil, ("It was recorded in %s, and the language here is %s: names of elements differ. Run it under LANG=%s.UTF-8, or "
      .. "record it again"):format(locale, identity.locale(), locale), "MACRO_OTHER_LOCALE"
  end
  return { evidence = "", path = path, hash = crypto.hex(crypto.sha256(text) or ""):sub(1, 16), identity = known, dry = dry }
end


--- Binds a window that was found or opened.
local function bound(each, deed, evidence)
  local why = windows.other_application(each, deed.recorded)
  if why then return nil, why, "MACRO_OTHER_APPLICATION" end
  return { evidence = evidence, window = names.window(each), title = each.title }
end


function KINDS.window(deed)
  local each, err, code = windows.find(deed)
  if not each then return nil, err, code end
  return bound(each, deed, "")
end


function KINDS.open(deed, before)
  before()
  local result, err, code = tools.open_application { application = deed.application, new = deed.new, files = deed.files,
    arguments = deed.arguments, wait = OPENS }
  if not result then return nil, err, code end
  local facts = facts_of(result)
  if not facts.window then return missing(facts.note or "no window appeared") end
  local was_there = facts.already == true and not (deed.files or deed.new)
  local each
  each, err, code = windows.now(facts.window)
  if each then each, err, code = windows.opened(each, deed.application, was_there) end
  if not each then return nil, err, code end
  return bound(each, deed, facts.already and "it was running" or "its window appeared")
end


--- Makes the function of a kind that acts on one element.
local function on_element(work)
  return function(deed, before)
    local each, err, code = windows.now(deed.window)
    if not each then return nil, err, code end
    local node
    node, err, code = targets.find(each, deed.kind, deed.element, deed.known)
    if not node then return nil, err, code end
    return work(deed, node.ref, before)
  end
end


KINDS.set = on_element(function(deed, ref, before)
  return act(deed, { { set = ref, value = deed.value, must = not deed.unseen or nil } }, before)
end)

KINDS.click = on_element(function(deed, ref, before)
  local kind = deed.count == 2 and "double_click" or "click"
  return act(deed, { { [kind] = ref, must = not deed.unseen or nil } }, before)
end)

KINDS.choose = on_element(function(deed, ref, before)
  before()
  local result, err, code = tools.select_option { element = ref, option = deed.option, window = deed.window }
  if not result then return nil, err, code end
  local facts = facts_of(result)
  local holds = facts.value ~= nil and words.fold(facts.value) == words.fold(deed.option)   -- also if it did before
  if not holds and not is_seen(deed, facts.effect) then return missing(facts.evidence) end
  return { evidence = facts.evidence or "" }
end)


--- Makes the function of a kind that needs only the window, without a dialog in front of it.
local function on_window(work)
  return function(deed, before)
    local each, err, code = windows.now(deed.window)
    if not each then return nil, err, code end
    local over = windows.dialog_over(each)
    if over then return nil, windows.in_front(over) end
    return work(deed, before, each)
  end
end


KINDS.keys = on_window(function(deed, before)
  local steps = {}
  for i = 1, deed.count or 1 do steps[i] = { keys = deed.keys, must = not deed.unseen or nil } end
  return act(deed, steps, before)
end)

KINDS.type = on_window(function(deed, before)
  return act(deed, { { type = deed.text, must = not deed.unseen or nil } }, before)
end)

KINDS.menu = on_window(function(deed, before, each)
  local done, err, code = effect_of(deed, "select_menu_item", { path = deed.path, window = deed.window }, before)
  if done or failure.code(code or "") ~= "MACRO_NO_MATCH" then return done, err, code end
  return nil, ("%s Change the path of the step to what the menus of %s have"):format(err, windows.called(each)), code
end)


--- The point of a place in a window; nil: the window has none there.
local function point_of(each, deed)
  local box = each.content
  if deed.x < 0 or deed.y < 0 or deed.x >= box.width or deed.y >= box.height then
    return nil, nil, ("%s has no place %d,%d: it is %d x %d"):format(windows.called(each), deed.x, deed.y, box.width, box.height)
  end
  return box.x + deed.x, box.y + deed.y
end


KINDS.point = on_window(function(deed, before, each)
  local x, y, err = point_of(each, deed)
  local ok, code
  if not x then return nil, err .. ". Make it as large as it was, or change the place", "MACRO_NO_MATCH" end
  if not each.focused then ok, err, code = tools.focus_window { window = deed.window } else ok = true end
  if not ok then return nil, err, code end
  local recorded = deed.known and deed.known.picture
  if recorded and require("macros.places").picture(each, x, y) ~= recorded then
    return nil, ("At %d,%d of %s there is another picture than when it was recorded, and no element tells what it is. "
      .. "Look at it, and record the step again"):format(deed.x, deed.y, windows.called(each)), "MACRO_OTHER_PICTURE"
  end
  before()
  local result
  result, err, code = tools.create_input { action = "click", x = x, y = y, button = deed.button, count = deed.count,
    window = deed.window }
  if not result then return nil, err, code end
  return { evidence = "sent to a place, so its effect is not known" }
end)


-- --- dialogs ---------------------------------------------------------------------------------------------

function KINDS.dialog(deed, before)
  local each, err, code = windows.now(deed.window)
  if not each then return nil, err, code end
  local dialogs = require "macros.dialogs"   -- most steps are about none
  local dialog, done
  dialog, err, code = dialogs.await(each, deed)
  if not dialog then return nil, err, code end
  done, err, code = effect_of(deed, "handle_dialog", { window = dialog.window,
    application = not dialog.window and dialog.application or nil, path = deed.path, button = deed.button }, before)
  if not done then return nil, err, code end
  local why
  why, code = dialogs.left_open(deed, dialog, done.facts)
  if why then return nil, why, code end
  return done
end


-- --- looks -----------------------------------------------------------------------------------------------

--- Asks a predicate of verify about the window of a deed.
local function ask(deed, seconds, miss)
  local each, err, code = windows.now(deed.window)
  if not each and not (deed.predicate.window and deed.predicate.condition == "gone") then return nil, err, code end
  local predicate = {}
  for key, value in pairs(deed.predicate) do predicate[key] = value end
  if not predicate.window then predicate.window = deed.window end
  local result
  result, err, code = tools.verify { predicates = { predicate }, timeout = math.min(deed.timeout or seconds, LONGEST) }
  if not result then return nil, err, code end
  local answer = (facts_of(result).results or {})[1] or {}
  if answer.result == "satisfied" then return { evidence = answer.evidence } end
  local over, told = each and windows.dialog_over(each), (answer.evidence or "nothing was told"):gsub("%.$", "")
  if over then told = ("%s. %s is in front"):format(told, modal.called(over)) end
  return nil, ("%s. There is: %s. Look at the window before you go on"):format(miss.text, told), miss.code
end


function KINDS.check(deed) return ask(deed, CHECKS, { text = "It does not hold", code = "MACRO_CHECK_FAILED" }) end

function KINDS.wait(deed) return ask(deed, WAITS, { text = "It did not come in time", code = "MACRO_WAIT_TIMEOUT" }) end


-- --- any tool --------------------------------------------------------------------------------------------

--- A result as the macro gets it: structured content, or text.
local function plain_of(result)
  if type(result) ~= "table" or not result.content then return result end
  return result.structuredContent or result.text
end


function KINDS.call(deed, before)
  before()
  local result, err, code = tools[deed.tool](deed.args)
  if err then return nil, err, code end
  if type(result) == "table" and result.isError then return nil, result.text, result.code or "failed" end
  return { evidence = type(result) == "string" and result or "", result = plain_of(result) }
end


--- Does what a step says.
---@param deed macros.Deed
---@param before fun()  called before anything is sent
---@return macros.Outcome? outcome
---@return string? err
---@return string? code
function M.perform(deed, before) return KINDS[deed.kind](deed, before) end


return M
