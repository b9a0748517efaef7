--- Drops files into an application, as a file manager does, and judges what came of it.
--
-- The target itself says whether it took the drop, which the application's elements may not show.

local attempt = require "elements.act.attempt"
local clips   = require "desktop.clips"
local desktop = require "sys.desktop"
local drag    = require "elements.act.drag"
local fs      = require "sys.fs"
local hands   = require "elements.read.hands"
local names   = require "desktop.names"
local quoting = require "desktop.quoting"
local window  = require "sys.window"

local M = {}


-- --- the files -----------------------------------------------------------------------------------

--- The files as a text/uri-list. Each is looked up first: applications take a drop of files that do not exist.
---@param files string[]
---@return string? list
---@return string? err
---@return string? code
local function list_of(files)
  local list = {}
  for i, file in ipairs(files) do
    if file:sub(1, 1) ~= "/" then
      return nil, ("files[%d] is %s. Pass an absolute path."):format(i, quoting.quote(file, 200)), "bad_argument"
    end
    local entry, err, code = fs.stat(file)
    if not entry then return nil, ("files[%d]: %s. Nothing was dropped."):format(i, err), code end
    list[i] = clips.uri(file)
  end
  return table.concat(list, "\r\n") .. "\r\n"
end


-- --- the place -----------------------------------------------------------------------------------

--- A point, also of an application that tells nothing of its elements.
local function at(point)
  local its, err, code = drag.at_point(point)
  if code == "no_tree" then return { found = {}, point = point } end
  return its, err, code
end


--- The middle of a window, which comes to the front.
local function middle_of(name)
  local found, err, code = names.look_at_window(name)
  if not found then return nil, err, code end
  local raised
  raised, err, code = window.focus(found)
  if not raised then return nil, err, code end
  local now
  now, err, code = window.get(found)
  if not now then return nil, err, code end
  local box = now.content
  return at { x = math.floor(box.x + box.width / 2), y = math.floor(box.y + box.height / 2) }
end


---@param args elements.Drop
---@return elements.End? its  its `found` is empty if the application tells nothing of its elements
---@return string? err
---@return string? code
local function place_of(args)
  local point = args.element and drag.point(args.element)
  if point then return at(point) end
  if args.element then return drag.find(args.element, args) end
  if args.window then return middle_of(args.window) end
  return nil, "Pass the element or point to drop the files on, or a window.", "bad_argument"
end


-- --- the drop ------------------------------------------------------------------------------------

---@class elements.Drop
---@field files string[]       absolute paths
---@field element? string      an element, or a point as "120,300"; default: the middle of the window
---@field application? string
---@field window? string
---@field action? string       "copy", "link" or "ask"
---@field background? boolean  it is refused: a drop takes the pointer


--- Judges without the empty windows in which toolkits mark the place of a drop.
local function verdict(seen, restless)
  local kept = {}
  for _, change in ipairs(seen.changes) do
    if change.kind == "changed" or not drag.is_picture(change.node.top or change.node) then kept[#kept + 1] = change end
  end
  return attempt.verdict { moves = true }({ changes = kept, snapshot = seen.snapshot, watch = seen.watch }, restless)
end


local SEEN = { confirmed = true, partial = true }

--- Adds the target's own answer to the report.
---@param report elements.Report
---@param took? string    the action that it did
---@param untold? string  why it has not confirmed the drop
local function conclude(report, took, untold)
  local seen = SEEN[report.effect] and "; " .. report.evidence or ""
  if took then
    report.effect, report.evidence = "confirmed", ("the target took them (%s)"):format(took) .. seen
  else
    report.effect, report.evidence = seen ~= "" and "partial" or "unknown", untold .. seen
  end
  return report
end


---@param args elements.Drop
---@return elements.Report? report
---@return string? err
---@return string? code
---@return elements.End? its
function M.run(args)
  local start = { background = args.background, called = "The target" }
  local list, its, report
  local err, code = hands.refusal(start, "given files", hands.POINTER)
  if err then return nil, err, code end
  list, err, code = list_of(args.files)
  if not list then return nil, err, code end
  its, err, code = place_of(args)
  if not its then return nil, err, code end
  local took, untold
  local function act()
    local ok, sent, why, what
    ok, why, what = drag.aim(its)
    if not ok then return nil, why, what end
    if desktop.held() then
      return nil, "a question to the user is open on this display, so nothing was done. Try again after it is answered", "held"
    end
    sent, why, what = hands.drop(start, its.point, list, { action = args.action or "copy" })
    if not sent and what ~= "drop_unfinished" then return nil, why, what end
    took, untold = sent and (sent.route:match "^xdnd (.*)$" or sent.route), why
    return ("drop at %g,%g"):format(its.point.x, its.point.y)
  end
  if its.found.snapshot then
    report, err, code = attempt.run(its.found, act, verdict, drag.awaited(its))
  else
    local route
    route, err, code = act()
    report = route and { route = route, effect = "unknown", evidence = "", changes = {}, found = its.found }
  end
  return report and conclude(report, took, untold) or nil, err, code, its
end


return M
