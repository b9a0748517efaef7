--- The things that an effect changes, as the judge of effects is told of it (policy.effects), and how they are left.

local crypto    = require "sys.crypto"
local element   = require "sys.element"
local clip      = require "transactions.kinds.clipboard"
local field     = require "transactions.kinds.field"
local file      = require "transactions.kinds.file"
local moved     = require "transactions.kinds.moved"
local policy    = require "sys.policy"
local quoting   = require "desktop.quoting"
local secrets   = require "sys.secrets"
local set_of    = require("word_set").of
local windows   = require "transactions.kinds.window"
local window    = require "sys.window"

local M = {}

---@class transactions.Thing  that is about to be changed
---@field kind string
---@field key string
---@field what string
---@field place table
---@field expected? table  how it will be; nil: it is looked at when the call has ended
---@field grows? string    a file: this is added at its end
---@field why? string      it cannot be undone

M.KINDS = { clipboard = clip, field = field, file = file, moved = moved, window = windows }

local SHOWN = 80   -- characters of what something is called


-- --- changes that cannot be undone -------------------------------------------------------------------------------

local WHY = {
  close = "a closed window cannot be opened again",
  drop = "what the application did with it is not known",
  focus = "which window is in front, and which has the keyboard, is left as it is",
  hide = "show_application shows it again",
  input = "what the application did with it is not known",
  listen = "the address was opened for a while",
  mail = "a mail that was sent cannot be taken back",
  message = "what another program did is not known",
  model = "a model has read it",
  mount = "what another server did is not known",
  press = "what the application did with it is not known",
  process = "what a program did is not known",
  quit = "an application that was ended is not started again",
  request = "a server has it",
  settings = "settings have a history of their own: see undo_edit",
  show = "hide_application hides it again",
  start = "what was opened stays open: quit_application ends it",
}

--- Something that cannot be undone.
---@param effect string
---@param how string
---@param what string
---@param why? string
---@return transactions.Thing
local function other(effect, how, what, why)
  what = quoting.plain(secrets.without(what))
  return { kind = "other", key = ("%s %s %s"):format(effect, how, what), what = quoting.cut(what, SHOWN), place = {},
    why = why or WHY[effect] }
end


-- --- files -----------------------------------------------------------------------------------------------

local function file_at(path, expected)
  return { kind = "file", key = path, what = path, place = { path = path }, expected = expected }
end


local function is_absent(path)
  local state = file.state { path = path }
  return state ~= nil and state.kind == "absent"
end


--- True for the engine's own files, such as stores and logs.
local function is_own(path)
  for _, top in ipairs(policy.grants(true)) do
    if path == top or path:sub(1, #top + 1) == top .. "/" then return true end
  end
  return false
end


--- Adds the folders that are made for a path.
local function add_folders(list, path)
  local above = path:match "^(.+)/[^/]*$"
  if not above or not is_absent(above) then return end
  add_folders(list, above)
  list[#list + 1] = file_at(above, { kind = "folder" })
end


local ABSENT = { kind = "absent" }

--- The file that is copied or moved, and where it goes.
local function two(how, from, to)
  local state = file.state { path = from }
  local list = {}
  if how == "rename" and state and (state.kind == "folder" or state.large) then
    list[1] = { kind = "moved", key = from .. "\0" .. to, what = ("%s to %s"):format(from, to), place = { from = from, to = to },
      expected = { from = "absent", to = state.kind, sha = state.sha } }
    return list
  end
  if how == "rename" then list[1] = file_at(from, ABSENT) end
  add_folders(list, to)
  list[#list + 1] = file_at(to, state)
  return list
end


local function files(how, first, second)
  local given = how == "capture" and type(first) == "table" and first.path or first
  local path = type(given) == "string" and policy.real(given)
  if not path or is_own(path) then return {} end
  if how == "rename" or how == "copy" then
    local to = type(second) == "string" and policy.real(second)
    return to and two(how, path, to) or {}
  end
  local list = {}
  if how == "remove" or how == "trash" then return { file_at(path, ABSENT) } end
  add_folders(list, path)
  if how == "make_folder" then
    if is_absent(path) then list[#list + 1] = file_at(path, { kind = "folder" }) end
    return list
  end
  local thing = file_at(path)
  if how == "write" then thing.expected = { kind = "file", sha = file.digest(tostring(second)) } end
  if how == "append" then thing.grows = tostring(second) end
  list[#list + 1] = thing
  if how == "save_file" and type(second) == "string" and policy.real(second) then
    list[#list + 1] = file_at(policy.real(second))
  end
  return list
end


-- --- windows ---------------------------------------------------------------------------------------------

local PLACES = set_of "fullscreen maximize minimize move place resize restore"

local function name_of(which)
  local its = type(which) == "table" and window.get(which)
  return its and ("the window %s of %s"):format(quoting.name(its.title, SHOWN), quoting.name(its.app, SHOWN)) or "a window"
end


local function of_window(how, which)
  if not PLACES[how] then
    local what = type(which) == "table" and name_of(which) or "an application"
    return { other("window", how, what, WHY[how == "activate" and "focus" or how]) }
  end
  if type(which) ~= "table" then return {} end
  return { { kind = "window", key = ("%s:%s:%s"):format(which.pid, which.started, which.id), what = name_of(which),
    place = { pid = which.pid, started = which.started, id = which.id } } }
end


-- --- elements --------------------------------------------------------------------------------------------

local QUIET = set_of "focus show caret"   -- verbs that change nothing for long

local function called(node) return ("%s %s"):format(node.role, quoting.quote(node.name, SHOWN)) end


local function field_of(id, expected)
  local place, node = field.place(id)
  if not place then return nil, node end
  return { kind = "field", key = ("%s %d"):format(place.engine, id), what = called(node), place = place, expected = expected }
end


local function pressed(id, change)
  local verb = type(change) == "table" and change.verb
  if QUIET[verb] then return {} end
  if verb == "set_text" and type(change.text) == "string" then return { field_of(id, { sha = field.digest(change.text) }) } end
  if verb == "set_number" then return { field_of(id) } end
  local nodes = element.get { id }
  local node = nodes and not nodes[1].gone and nodes[1]
  return { other("press", tostring(verb), ("%s %s"):format(verb, node and called(node) or "an element")) }
end


-- --- input -----------------------------------------------------------------------------------------------

local STILL = set_of "move scroll key_up release"
local TYPED = set_of "type text paste keys key_down"
local EDITS = set_of "backspace delete space"

-- Keys that change nothing: they move the caret or the focus, select, or copy.
local MOVES = set_of "left right up down home end page_up page_down pageup pagedown tab a c"
local MODIFIERS = { "shift%+", "ctrl%+", "cmd%+", "meta%+", "control%+", "command%+" }

--- The key without modifiers that do not matter to what it is for.
local function bare_key(keys, modifiers)
  local bare = keys:lower()
  for _, each in ipairs(modifiers) do bare = bare:gsub("^" .. each, "") end
  return bare
end


--- True for keys that do no more than edit the text of a field.
local function edits(keys)
  local bare = bare_key(keys, { "shift%+" })
  return utf8.len(bare) == 1 or EDITS[bare] == true
end


--- True for keys that change nothing. A letter alone is typed.
local function only_moves(keys)
  local bare = bare_key(keys, MODIFIERS)
  return MOVES[bare] == true and (#bare > 1 or bare ~= keys:lower())
end


--- The name of the window that has the keyboard.
local function receiver(found)
  for _, each in ipairs(found and found.window and window.list { pid = found.pid } or {}) do
    if each.id == found.window then return " to the window " .. quoting.name(each.title, SHOWN) end
  end
  return ""
end


local DOCUMENT = "it was typed into a document, which has an undo of its own"

local function typed(how, spec, first)
  local keys = how == "keys" or how == "key_down"
  local said = keys and (spec.chord or first) or not keys and (spec.text or first)
  if type(said) ~= "string" or keys and only_moves(said) then return {} end
  local found = element.field {}
  local takes = found and found.finding == "found" and found.readable and not found.paragraph and found.id
  local thing = takes and field_of(found.id) or nil
  local does_more
  if keys then does_more = not edits(said) else does_more = said:find "[\n\t]" ~= nil and not (found and found.multiline) end
  local list = { thing }
  if not thing or does_more then
    list[#list + 1] = other("input", "keys", (keys and "the keys " .. said or "text") .. receiver(found),
      found and found.paragraph and DOCUMENT or nil)
  end
  return list
end


--- The element at a point, and the window there.
local function at(x, y)
  for _, each in ipairs(window.list() or {}) do
    local frame = each.frame
    if each.on_screen and x >= frame.x and y >= frame.y and x < frame.x + frame.width and y < frame.y + frame.height then
      local id = element.at(each.pid, x, y)
      local nodes = id and element.get { id }
      return nodes and not nodes[1].gone and nodes[1] or nil, each
    end
  end
end


local function pointed(kind, x, y)
  local node, its
  if tonumber(x) and tonumber(y) then node, its = at(tonumber(x), tonumber(y)) end
  if kind == "click" and node and node.abilities.write and node.role ~= "combobox" then return {} end   -- it moves the caret
  local on = node and " on " .. called(node) or its and " in the window " .. quoting.name(its.title, SHOWN) or ""
  return { other("input", kind, ("a %s%s"):format(kind, on)) }
end


local function input(how, first, second)
  local spec = type(first) == "table" and how == "send" and first or {}
  local kind = spec.kind or how
  if STILL[kind] then return {} end
  if TYPED[kind] then return typed(kind, spec, first) end
  return pointed(kind, spec.x or how ~= "send" and first, spec.y or how ~= "send" and second)
end


-- --- all of them -----------------------------------------------------------------------------------------

local UNSAID = { ["client:complete"] = true, ["client:get_prompt"] = true, ["client:read"] = true, ["client:subscribe"] = true,
  ["client:unsubscribe"] = true }

--- Words for an effect that cannot be undone.
local function said(effect, how, first, second)
  if effect == "process" then
    local argv = type(first) == "table" and (first.argv or first.command or first) or first
    if type(argv) == "table" then
      local words = {}
      for i = 1, math.min(#argv, 8) do words[i] = tostring(argv[i]) end
      argv = table.concat(words, " ")
    end
    return ("the program %s"):format(tostring(argv))
  end
  if effect == "request" then
    local url = type(first) == "table" and first.url or first
    return ("a request to %s"):format(tostring(url):match "^%a[%w+.-]*://[^/?#]*" or "a server")
  end
  if effect == "start" then return ("%s was opened"):format(tostring(type(first) == "table" and first.name or first)) end
  if effect == "mount" then return ("%s of another server"):format(tostring(second)) end
  return ("%s %s"):format(effect, how)
end


local READS = { message = true, model = true, mount = true, process = true, request = true }

--- Returns the things that an effect changes. Those of tools that only read, by their own words and ours, change none.
---@param subject sys.policy.Subject
---@param effect string
---@param how string
---@param ... any  the function's arguments
---@return transactions.Thing[]
function M.of(subject, effect, how, ...)
  local first, second = ...
  if effect == "file" then return files(how, first, second) end
  if effect == "window" then return of_window(how, first) end
  if effect == "press" then return pressed(first, second) end
  if effect == "input" then return input(how, first, second) end
  if effect == "clipboard" then
    if how == "keep_history" then return {} end
    return { { kind = "clipboard", key = "clipboard", what = "the clipboard", place = {},
      expected = clip.of(how == "write" and type(first) == "table" and first or {}) } }
  end
  if READS[effect] and subject.shipped and subject.annotations.readOnlyHint == true then return {} end
  if effect == "mount" and UNSAID["client:" .. how] or effect == "process" and how == "write" then return {} end
  return { other(effect, how, said(effect, how, first, second)) }
end


--- A word for what a thing is, that no other thing has.
---@param thing transactions.Thing
---@return string
function M.key(thing) return thing.kind .. "\0" .. thing.key end


--- True if two texts of a thing are the same bytes.
M.digest = function(text) return crypto.hex(assert(crypto.sha256(text))) end


return M
