--- The facts about what goes to other programs and machines: requests, mail, D-Bus.

local address = require "policy.address"
local reading = require "dbus.reading"

local M = {}

-- Few effects are mail.
local function letter() return require "policy.effect.letter" end

local function first(effect) return type(effect.given[1]) == "table" and effect.given[1] or {} end


--- The hosts of addresses. nil: one cannot be told, as programs may read it differently.
---@param urls string[]|false
---@return string[]|false|nil
function M.hosts(urls)
  if not urls then return false end
  local list = {}
  for i, url in ipairs(urls) do
    list[i] = address.host_of(url)
    if not list[i] then return nil end
  end
  return list
end


function M.url(effect)
  local url = (effect.effect == "request" or effect.effect == "model") and first(effect).url
  return url and { url } or false
end


function M.host(effect)
  if effect.effect == "mail" then return { first(effect).host } end
  if effect.effect == "listen" then return { tostring(first(effect).address or "127.0.0.1") } end
  return M.hosts(effect:fact "url")
end


--- The URL that redirects to the one of a request.
---@return string|false
function M.redirects(effect) return effect.effect == "request" and rawget(first(effect), "from") or false end


--- The request that was redirected.
---@return policy.Effect|false
function M.redirected(effect) return M.redirects(effect) and effect:with(rawget(first(effect), "redirected")) end


--- True if a redirect leads to the domain of the host that redirects, with or without `www.` in front of it.
---@return boolean
function M.is_of_domain(effect)
  local from, to = effect:fact "redirects", effect:fact "host"
  local domain = from and to and to[1] and address.host_of(from)
  if not domain then return false end
  domain = domain:gsub("^www%.(.+%..)", "%1")
  return to[1] == domain or domain:find "%.[^.:]*%a[^.:]*$" ~= nil and to[1]:sub(-#domain - 1) == "." .. domain
end


---@return string|false
function M.method(effect)
  local spec = first(effect)
  if effect.effect ~= "request" then return false end
  if effect.how == "connect" then return "POST" end
  return spec.method or ((spec.body ~= nil or spec.json ~= nil) and "POST" or "GET")
end


--- Remembers where a model is that is asked: the user chose it, so the request that asks it goes where somebody named.
---@param effect policy.Effect
function M.note(effect) require("policy.provenance").name(effect.caller, effect:fact "url" or {}) end


--- A mail as its readers get it; false: it cannot be read.
function M.mail(effect) return letter().read(effect) end


--- Where answers to a mail go, if not to its sender. nil: it cannot be told.
---@return string[]|false|nil
function M.answers_to(effect) return effect.effect == "mail" and letter().answers_to(effect) end


-- Functions that send a server the URI of one of its resources, and nothing else.
local URI_ALONE = { read = true, subscribe = true, unsubscribe = true }

--- Everything that is sent, as text.
---@return string|false
function M.text(effect)
  local spec = first(effect)
  if effect.effect == "mail" then return letter().text(effect) end
  if effect.how == "complete" then return require("sys.json").encode { table.unpack(effect.given, 2, 5) } or false end
  if effect.effect == "mount" and URI_ALONE[effect.how] then return tostring(effect.given[2]) end
  if effect.effect == "message" or effect.effect == "mount" then
    return require("sys.json").encode { effect.given[2], effect.effect == "mount" and effect.given[3] or nil } or false
  end
  return spec.body or spec.json ~= nil and require("sys.json").encode(spec.json) or false
end


--- The arguments of a message without the name of the action or of the property that it is about.
local function args_of(message)
  local args, names = message.args, reading.names(message.interface, message.member)
  if type(args) ~= "table" or names == 0 then return args or false end
  return { table.unpack(args, names + 1) }
end


--- The texts and arguments of messages of D-Bus. Their names are those of a program's interface: many programs tell them.
local function said_in(messages)
  local list = {}
  for i, each in ipairs(type(messages) ~= "table" and {} or #messages > 0 and messages or { messages }) do
    list[i] = { args_of(each), each.text or false }
  end
  return list
end


--- The words of a request, of all its parts.
---@return table<string, any>|false
function M.words(effect)
  if effect.effect == "message" then return said_in(effect.given[2]) end
  return effect.effect == "request" and require("policy.effect.request_words").of(first(effect), M.text(effect)) or false
end


local SECRET = { "authorization", "cookie", "key", "secret", "token" }   -- in the names of headers with secrets

--- The headers of a request as a user reads them: of a secret only the length.
---@return table<string, string>|false
function M.headers(effect)
  local given = effect.effect == "request" and first(effect).headers
  if type(given) ~= "table" or next(given) == nil then return false end
  local list = {}
  for name, value in pairs(given) do
    local shown = tostring(value)
    for _, word in ipairs(SECRET) do
      if tostring(name):lower():find(word, 1, true) then shown = ("(a secret of %d bytes)"):format(#tostring(value)) end
    end
    list[tostring(name)] = shown
  end
  return list
end


--- The addresses in one recipient, as programs read several: with commas, names and brackets. nil: it cannot be told.
local function addresses_in(text)
  if not text:find "[%s,;<>\"%c]" then return { text } end
  local list = require("mail.address").list(text, "to")
  if not list or not list[1] then return nil end
  for _, each in ipairs(list) do
    if each.address:find '[%s,;<>"]' then return nil end
  end
  return letter().addresses(list)
end


--- The recipients of a mail as they are given.
function M.recipients(effect) return effect.effect == "mail" and first(effect).recipients or false end


--- Each address that a mail goes to. nil: one cannot be told.
---@return string[]|false|nil
function M.goes_to(effect)
  if effect.effect ~= "mail" then return false end
  local list = {}
  for _, each in ipairs(M.recipients(effect) or {}) do
    local its = addresses_in(tostring(each))
    if not its then return nil end
    table.move(its, 1, #its, #list + 1, list)
  end
  return list
end


local known = setmetatable({}, { __mode = "k" })   -- by client: the annotations of its server's tools, by their names

--- The annotations that a server gives the tool which is called; false: no tool is. nil: it says nothing of one.
---@return table|false|nil
local function annotations(effect)
  local client, what, params = effect.given[1], effect.given[2], effect.given[3]
  if effect.how == "request" and what == "tools/call" then what = type(params) == "table" and params.name
  elseif effect.how ~= "call" then return false end
  if not known[client] then
    known[client] = {}
    for _, tool in ipairs(client:list_tools() or {}) do known[client][tool.name] = tool.annotations or {} end
  end
  return known[client][what]
end


--- True if the server says that its tool destroys something.
---@return boolean?
function M.destructive(effect)
  local said = annotations(effect)
  if not said then return said end
  return said.destructiveHint == true and said.readOnlyHint ~= true
end


--- The calls and signals that are sent by D-Bus.
local function sent(effect)
  local what = effect.effect == "message" and effect.given and effect.given[2]
  if type(what) ~= "table" then return {} end
  return #what > 0 and what or { what }
end


--- True if the messages by D-Bus only read, by their names; if the mounted server says that its tool only reads, or if no tool
--- is called.
---@return boolean?
function M.reads(effect)
  if effect.effect == "message" then
    for _, each in ipairs(sent(effect)) do
      if each.start or not reading.is(each.interface or "", each.member or "") then return false end
    end
    return true
  end
  local said = annotations(effect)
  if not said then return said == false or said end
  return said.readOnlyHint == true
end


--- Each address that gets the mail or the answers to it. nil: one cannot be told.
---@return string[]|false|nil
function M.to(effect)
  local list, answers = effect:fact "goes_to", effect:fact "answers_to"
  if not list or not answers then return list and answers end
  return table.move(answers, 1, #answers, #list + 1, table.move(list, 1, #list, 1, {}))
end


local function name_of(to, call) return ("%s %s.%s"):format(to, call.interface or "", call.member or "") end

local function receiver(call) return tostring(call.to or call.destination or "") end


--- The name of the action that a message does; nil if it does none.
local function action_of(call)
  local named = reading.is_action(call.interface, call.member) and type(call.args) == "table" and call.args[1]
  return named and tostring(named) or nil
end


--- Each message by D-Bus, as it is given: the receiver and the method.
---@return string[]|false
function M.messages(effect)
  local list = {}
  for i, call in ipairs(sent(effect)) do list[i] = name_of(receiver(call), call) end
  return list[1] and list or false
end


--- The same by all names of each receiver, and of an action also with its name behind that. nil: they cannot be told.
---@return string[]|false|nil
function M.all_messages(effect)
  local list, others = M.messages(effect) or {}, {}
  local bus = effect.given and effect.given[1]
  if type(bus) == "userdata" then bus = bus:bus() end
  for _, call in ipairs(sent(effect)) do
    local to = receiver(call)
    others[to] = others[to] or require("policy.effect.owners").others(bus, to)
    if not others[to] then return nil end
    local action = action_of(call)
    if action then list[#list + 1] = ("%s %s"):format(name_of(to, call), action) end
    for _, name in ipairs(others[to]) do
      list[#list + 1] = name_of(name, call)
      if action then list[#list + 1] = ("%s %s"):format(name_of(name, call), action) end
    end
  end
  return list[1] and list or false
end


--- For a message by D-Bus, who gets it and the methods that are called; for a mounted server, the tool, the prompt or the URI.
---@return string|false
function M.name(effect)
  local what = effect.given[2]
  if effect.how == "complete" and type(what) == "table" then what = what.prompt or what.resource end
  if effect.effect == "mount" then return tostring(what) end
  local list = M.messages(effect)
  for i, call in ipairs(sent(effect)) do
    local action = action_of(call)
    if action then list[i] = ("%s %s"):format(list[i], action) end
  end
  return list and table.concat(list, ", ")
end


return M
