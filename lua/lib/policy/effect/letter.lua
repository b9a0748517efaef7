--- A mail as its readers get it: who it goes to, where answers go, and all that mail programs show of it.

local fs         = require "sys.fs"
local provenance = require "policy.provenance"
local question   = require "policy.question"
local recipients = require "policy.recipients"

local M = {}

local MOST = 4 * 1024 * 1024   -- bytes of attached files that are compared as text


--- The parts of a mail; false: there is none, or it cannot be read.
---@param effect policy.Effect
---@return sys.mime.Message|false
function M.read(effect)
  local spec = effect.given[1]
  local bytes = effect.effect == "mail" and type(spec) == "table" and spec.message
  return type(bytes) == "string" and require("sys.mime").read(bytes) or false
end


---@param list? sys.mime.Address[]
---@return string[]
function M.addresses(list)
  local names = {}
  for i, each in ipairs(list or {}) do names[i] = each.address end
  return names
end


--- Where answers go, if not to the sender. nil: it cannot be told.
---@param effect policy.Effect
---@return string[]?
function M.answers_to(effect)
  local mail, spec = effect:fact "mail", effect.given[1]
  if not mail then
    local bytes = type(spec) == "table" and type(spec.message) == "string" and spec.message or ""
    return not ("\n" .. bytes:lower()):find "[\r\n]reply%-to[ \t]*:" and {} or nil
  end
  local senders, list = {}, {}
  for _, each in ipairs(M.addresses(mail.from)) do senders[each:lower()] = true end
  for _, each in ipairs(M.addresses(mail.reply_to)) do
    if not senders[each:lower()] then list[#list + 1] = each end
  end
  return list
end


--- The text between the tags, for rules about words that a page shows.
local function shown_of(html) return (html:gsub("<!%-%-.-%-%->", ""):gsub("<[^>]*>", "")) end


local function size(bytes) return bytes == 1 and "1 byte" or ("%d bytes"):format(bytes) end


--- Adds what attached files say: the text of those that are text, as far as there is room.
local function add_attached(words, bytes)
  local mail, left = require("sys.mime").read(bytes, { bytes = true }), MOST
  for _, each in ipairs(mail and mail.attachments or {}) do
    local text = (each.bytes or ""):sub(1, left)
    if text ~= "" and not text:find "%z" then
      words[#words + 1], left = text, left - #text
      if text:find "<%a" then words[#words + 1] = shown_of(text) end
    end
  end
end


--- All words of it: the headers, the text, the HTML version with its tags and without, the names of files and what is in them.
---@param effect policy.Effect
---@return string|false
function M.text(effect)
  local mail, spec = effect:fact "mail", effect.given[1]
  local bytes = type(spec) == "table" and spec.message
  if not mail then return bytes or false end
  local words = { mail.subject or "", mail.text or "" }
  if mail.html then table.move({ mail.html, shown_of(mail.html) }, 1, 2, #words + 1, words) end
  for _, name in ipairs { "from", "to", "cc", "bcc", "reply_to" } do
    for _, each in ipairs(mail[name] or {}) do words[#words + 1] = each.name end
  end
  for _, each in ipairs(mail.attachments or {}) do words[#words + 1] = each.name end
  if (mail.attachments or {})[1] then add_attached(words, bytes) end
  if mail.cut then words[#words + 1] = bytes end   -- some of it is only there
  return table.concat(words, "\n")
end


--- Does text from outside name an address, for the caller?
local function is_named_for(effect)
  return function(address) return provenance.of(effect.caller, { address }, true, effect.subject)[1] ~= nil end
end


--- The recipients in the order in which they matter.
---@param effect policy.Effect
---@return string[]
function M.in_order(effect)
  return recipients.in_order(effect:fact "goes_to" or effect:fact "recipients" or {}, is_named_for(effect))
end


local function told(effect, list)
  return list[1] and question.all(recipients.shown(list, is_named_for(effect))) or nil
end


--- An attached file as a question shows it: by its path, if that is known, and its name, if it has another one there.
local function file_of(path, each)
  local name = each.name or "a file"
  path = type(path) == "string" and (fs.resolve(path) or path) or name
  local is_named = path:match "[^/]*$" == name
  return ("%s%s (%s)"):format(path, is_named and "" or (", as %s"):format(name), size(each.size or 0))
end


--- The details for a question. `bcc` has the recipients that the mail does not name.
---@param effect policy.Effect
---@return table<string, any>
function M.details(effect)
  local mail = effect:fact "mail"
  if not mail then return {} end
  local to, cc, named, bcc, files = M.addresses(mail.to), M.addresses(mail.cc), {}, {}, {}
  for _, list in ipairs { to, cc } do
    for _, each in ipairs(list) do named[each] = true end
  end
  for _, each in ipairs(effect:fact "goes_to" or effect:fact "recipients" or {}) do
    if not named[each] then bcc[#bcc + 1] = each end
  end
  local paths = effect.given[1].attachments
  for i, each in ipairs(mail.attachments or {}) do files[i] = file_of(type(paths) == "table" and paths[i], each) end
  local answers = effect:fact "answers_to" or {}
  return { to = told(effect, to), cc = told(effect, cc), bcc = told(effect, bcc),
    reply_to = answers[1] and question.all(answers) or nil, subject = mail.subject or "",
    body = mail.text or not mail.html and "" or nil, body_html = mail.html,
    attachments = files[1] and question.all(files) or nil }
end


return M
