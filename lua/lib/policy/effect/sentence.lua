--- An effect in one sentence, for the user who is asked about it and for the caller that is refused.

local address  = require "policy.address"
local policy   = require "sys.policy"
local question = require "policy.question"
local quoting  = require "desktop.quoting"

local M = {}

local SHOWN = 100   -- characters of a name
local TEXT = 400    -- characters of a text


local function quoted(text, most) return question.shown_text(tostring(text), most or SHOWN) end

local function name_of(effect)
  local list = effect:apps()
  if not list then return "an application that is not known" end
  local names, seen = {}, {}
  for _, each in ipairs(list) do
    if not seen[each[1]] then names[#names + 1], seen[each[1]] = quoted(each[1]), true end
  end
  return names[1] and table.concat(names, ", ") or "the desktop"
end


-- Functions of files that take two paths.
local TWO = { copy = true, rename = true }

--- The paths as they were given, where it cannot be told where they lead.
local function given_places(effect)
  local list, first = {}, effect.given[1]
  if type(first) == "table" then first = first.path end
  for _, path in ipairs { first or false, TWO[effect.how] and effect.given[2] or false } do
    if type(path) == "string" then list[#list + 1] = quoted(path, TEXT) end
  end
  return (list[1] and table.concat(list, ", ") or "a file") .. ", which leads to a place that is not known"
end


local function places(effect)
  local paths, list = {}, effect:fact "paths"
  for i, path in ipairs(list or {}) do paths[i] = quoted(path, TEXT) end
  return paths[1] and table.concat(paths, ", ") or given_places(effect)
end


local function whole(text) return quoted(text, TEXT) end

local function size(text) return ("%d bytes"):format(#tostring(text)) end


--- The words of a command as one text, quoted as for a shell: each can be told from the next, and nothing in them expands.
local function one_line(argv)
  local words = {}
  for i, word in ipairs(argv) do
    local plain = word ~= "" and not word:find "[^%w_%-%.,:/@=+%%]"
    words[i] = plain and word or ("'%s'"):format((word:gsub("'", "'\\''")))
  end
  return table.concat(words, " ")
end


--- A program with its arguments.
local function command(effect, show)
  local argv = effect:fact "argv" or {}
  if show == whole then return whole(one_line(argv)) end
  local rest = table.concat(argv, " ", math.min(2, #argv + 1))
  return quoted(argv[1] or "") .. (rest ~= "" and " with " .. show(rest) or "")
end


--- ", 50 times"; "" for once.
local function times(spec)
  local count = tonumber(spec.count) or 1
  return count ~= 1 and (" %g times"):format(count) or ""
end


local function at(point) return ("%g,%g"):format(tonumber(point.x) or 0, tonumber(point.y) or 0) end


--- The deed of the pointer: "click with the right button 2 times at 10,20 while ctrl is held".
local function pointer_deed(spec)
  local said, path = spec.kind, spec.path
  if spec.kind ~= "move" and spec.kind ~= "scroll" then
    said = ("%s with the %s button"):format(said, quoting.plain(tostring(spec.button or "left")))
  end
  if spec.lines_x or spec.lines_y then
    said = ("%s %g to the right and %g down"):format(said, tonumber(spec.lines_x) or 0, tonumber(spec.lines_y) or 0)
  end
  said = said .. times(spec)
  if type(path) == "table" and path[1] then
    said = ("%s from %s to %s"):format(said, at(path[1]), at(path[#path]))
  elseif spec.x and spec.y then
    said = ("%s at %s"):format(said, at(spec))
  end
  local held = type(spec.modifiers) == "table" and table.concat(spec.modifiers, "+") or ""
  return held ~= "" and ("%s while %s is held"):format(said, quoting.plain(held)) or said
end


-- Each is told by a function of the effect and of show(text), by which it shows text that others may have chosen.
local SAY = {}

--- The line that the input belongs to, which is what the answer is for.
local function line_of(effect, show)
  local line = effect:fact "writing"
  if not line then return "" end
  if line.state.steps == 0 and not line.state.texts[2] then return ", where the line is then " .. show(line.after) end
  local texts = {}
  for _, text in ipairs(line.state.texts) do texts[#texts + 1] = text ~= "" and show(text) or nil end
  return texts[1] and ", in a line that may have all of this: " .. table.concat(texts, ", ") or ""
end


function SAY.input(effect, show)
  local spec = effect:fact "spec"
  local hotkey = effect:fact "hotkey"
  local starts = hotkey and (", which presses a hotkey of the %s"):format(quoting.plain(hotkey)) or ""
  local ends = starts .. line_of(effect, show)
  if spec.text then return ("type %s into %s%s"):format(show(spec.text), name_of(effect), ends) end
  if spec.chord then return ("press the keys %s%s in %s%s"):format(show(spec.chord), times(spec), name_of(effect), ends) end
  return ("%s in %s: %s"):format(spec.kind == "scroll" and "turn the wheel" or "use the pointer", name_of(effect),
    pointer_deed(spec))
end

function SAY.press(effect, show)
  local change, node = effect:fact "change", effect:fact "node"
  local what = node and ("%s %s"):format(node.role:gsub("_", " "), quoted(node.name)) or "an element"
  if change.text then return ("write %s into the %s of %s"):format(show(change.text), what, name_of(effect)) end
  return ("use the %s of %s"):format(what, name_of(effect))
end

function SAY.drop(effect, show) return ("drop %s on %s"):format(show(effect:fact "text"), name_of(effect)) end

function SAY.start(effect, show)
  local given = {}
  for i, each in ipairs(effect:fact "opens" or {}) do given[i] = show(each) end
  return ("%s %s%s"):format(effect:fact "program" == false and "open" or "start", command(effect, show),
    given[1] and " with " .. table.concat(given, ", ") or "")
end

--- The directory and the variables of a program: both may make another one of it.
local function around(effect, show)
  local cwd, env, said = effect:fact "chosen_cwd", effect:fact "env" or {}, {}
  for i, each in ipairs(env) do said[i] = show == whole and show(each) or quoted(each:match "^[^=]*") end
  return (cwd == false and "" or cwd and " in the directory " .. quoted(cwd, TEXT) or " in a directory that is not known")
    .. (said[1] and " with the environment " .. table.concat(said, ", ") or "")
end

--- The applications that a script names.
local function reached(effect)
  local apps = effect:fact "apps"
  if apps == nil then return ", which may reach any application" end
  return apps and apps[1] and " for " .. name_of(effect) or ""
end

function SAY.process(effect, show)
  if effect.how == "write" then return ("write %s to %s"):format(show(effect:fact "text" or ""), command(effect, show)) end
  local socket = effect.how == "connect" and effect.given[1].socket
  if socket then return "connect to the server at " .. show(socket) end    -- which runs already
  return "run " .. command(effect, show) .. reached(effect) .. around(effect, show)
end

function SAY.request(effect, show)
  local url = (effect:fact "url" or { "" })[1]
  if effect.how == "connect" then return "connect to the server at " .. show(url) end
  local from = effect:fact "redirects"
  local said = ("send %s %s"):format(quoting.plain(effect:fact "method" or ""), show(url))
  if not from then return said end
  return ("%s, to which %s redirects"):format(said, show == whole and quoted(address.host_of(from) or from) or "a server")
end

function SAY.file(effect)
  return ("%s %s"):format(({ remove = "delete", rename = "move", make_folder = "make the directory",
    choose_file = "choose in a file dialog", save_file = "write", trash = "move to the trash" })[effect.how] or effect.how,
    places(effect))
end

function SAY.listen(effect)
  local host = effect:fact "host"
  return ("listen for requests of other programs at the address %s"):format(quoted(host and host[1] or ""))
end

function SAY.python(effect, show) return "run Python code: " .. show(effect:fact "text" or "") end

function SAY.record(effect, show)
  local text = effect:fact "text"
  return "record every key and click, also those of passwords" .. (text and ", for " .. show(text) or "")
end

function SAY.clipboard(effect, show)
  if effect.how == "keep_history" then return "keep a history of what is copied" end
  local text = effect:fact "text"
  return text and "put on the clipboard: " .. show(text) or "empty the clipboard"
end

function SAY.mail(effect)
  local list, answers = require("policy.effect.letter").in_order(effect), effect:fact "answers_to" or {}
  return "send mail to " .. quoted(table.concat(list, ", "), TEXT)
    .. (answers[1] and ", with the answers to " .. quoted(table.concat(answers, ", "), TEXT) or "")
end

function SAY.mount(effect) return ("use %s of another server"):format(quoted(effect:fact "name", TEXT)) end

function SAY.message(effect) return ("send a message to %s"):format(quoted(effect:fact "name", TEXT)) end

function SAY.window(effect) return ("%s a window of %s"):format(effect.how, name_of(effect)) end

function SAY.quit(effect)
  local options = effect.given[2]
  return ("end %s%s"):format(name_of(effect), type(options) == "table" and options.force and " by force" or "")
end

function SAY.settings(effect, show)
  if effect.how == "allow" then return "let input go on that the user stopped" end
  local text = effect:fact "text"
  return text and "change what Perigee does: " .. show(text) or "keep a secret: " .. quoted(effect:fact "name")
end

function SAY.model(effect) return ("ask a model at %s"):format(quoted((effect:fact "host" or { "" })[1])) end


-- Effects whose text the sentence leaves out.
local SHOWS_TEXT = { file = true, message = true, model = true, mount = true, process = true, request = true }

--- The arguments of one of our own tools, which say what for: the item of a menu that is being opened, the image that is sent to
--- a model. nil: the sentence says all.
---@param effect policy.Effect
---@return table?
function M.arguments(effect)
  local subject, kind = effect.subject, effect.effect
  local spec = kind == "input" and effect:fact "spec"
  local is_part = kind == "press" or kind == "model" or spec and not spec.text and not spec.chord
  if not (is_part and subject.shipped and effect.call) or subject.runs or subject.stands_for then return nil end
  if effect:via()[1] then return nil end   -- the question names the call that led to it
  local latest, root = policy.memory().latest, policy.root(effect.call)
  for i, each in ipairs(latest.roots) do
    if each == root then return latest.args[i] end
  end
end


--- Facts that the sentence leaves out, as arguments are shown.
---@param effect policy.Effect
---@return table<string, any>
function M.details(effect)
  if effect.effect == "mail" then return require("policy.effect.letter").details(effect) end
  local asks = effect.effect == "model" and M.arguments(effect)   -- the text is a prompt with the question in it
  return { text = not asks and SHOWS_TEXT[effect.effect] and effect:fact "text" or nil, headers = effect:fact "headers" or nil }
end


--- "type \"ls\" into \"xterm\""
---@param effect policy.Effect
---@return string
function M.of(effect) return SAY[effect.effect](effect, whole) end


--- The same for the audit log: without text, which may be a secret or from outside.
---@param effect policy.Effect
---@return string
function M.brief(effect) return SAY[effect.effect](effect, size) end


return M
