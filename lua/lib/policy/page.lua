--- A question on a page of this machine, for clients that open URLs for their user.
--
-- The URL works once, so a URL that is visible on the screen, for example in the browser's address bar, is useless afterwards.
-- The answers are fields of the page, which no URL shows. From the moment it is opened until it is answered, no tool of any
-- Perigee process acts.

local alone    = require "policy.alone"
local crypto   = require "sys.crypto"
local html     = require "html"
local loopback = require "sys.loopback"
local task     = require "sys.task"
local time     = require "sys.time"

local M = {}

local function name() return crypto.hex(crypto.random(16)) end


local function form(message, labels, tokens, path)
  local lines = { ("<pre>%s</pre>\n<form method=\"get\" action=\"%s\">"):format(html.escape(message), path) }
  for i, label in ipairs(labels) do
    lines[#lines + 1] = ("<button name=\"answer\" value=\"%s\">%s</button>"):format(tokens[i], html.escape(label))
  end
  lines[#lines + 1] = "</form>"
  return html.page("Perigee", table.concat(lines, "\n"))
end


--- Waits for a request of this path. Others are answered here.
---@return table? visit
---@return string? err
---@return string? code
local function visited(listener, path, ends)
  while true do
    local left = ends - time.monotonic()
    local visit = left > 0 and listener:next(left)
    if not visit then
      if listener:port() == 0 then return nil, "the question was closed", "dismissed" end
      return nil, "the user did not answer on the page in time", "timeout"
    end
    if visit.method == "GET" and visit.path == path then return visit end
    listener:reply(404, html.message("This page asks nothing", "A question is shown once, at its own address."))
  end
end


--- Shows the page, whose request waits, until it is answered.
---@return string? label
---@return string? err
---@return string? code
local function show(listener, question, ends)
  local tokens, answers = {}, "/" .. name()
  for i in ipairs(question.labels) do tokens[i] = name() end
  listener:reply(200, form(question.message, question.labels, tokens, answers))
  while true do
    local visit, err, code = visited(listener, answers, ends)
    if not visit then return nil, err, code end
    local given = visit.query:match "^answer=(%x+)$"
    for i, token in ipairs(tokens) do
      if given and crypto.same(given, token) then
        listener:reply(200, html.message("Your answer is taken", question.labels[i] .. ". You can close this page."))
        return question.labels[i]
      end
    end
    listener:reply(400, html.message("That is not one of the answers", "Go back and choose one."))
  end
end


--- Waits until the page is opened, and shows it while no tool acts on the desktop.
---@return string? label
---@return string? err
---@return string? code
local function serve(listener, question, ends)
  local visit, err, code = visited(listener, question.path, ends)
  if not visit then return nil, err, code end
  local found = table.pack(alone.during(function() return show(listener, question, ends) end))
  if found[1] then return table.unpack(found, 2, found.n) end
  listener:reply(503, html.message("The page cannot be shown now", "An action on the desktop goes on for too long."))
  return nil, found[3], "no_page"
end


--- Sends the URL to the client. Closes the listener if the user does not want to open it.
local function send(call, listener, question, seconds)
  local address = ("http://127.0.0.1:%d%s"):format(listener:port(), question.path)
  local ok, err, code = call:ask { key = "approval_page", timeout = seconds, url = address,
    message = "Perigee needs your approval. Open this page to see for what." }
  if not ok then listener:close() end
  return ok, err, code
end


local function both(call, question, seconds)
  local listener, err = loopback.listen()
  if not listener then return nil, err, "no_page" end
  local held <close> = listener
  local ends = time.monotonic() + seconds
  local found = {}
  task.map({ "send", "serve" }, function(part)
    if part == "send" then
      found.sent = table.pack(send(call, listener, question, seconds))
    else
      found.served = table.pack(serve(listener, question, ends))
    end
    return true
  end, 2)
  if found.served[1] then return found.served[1] end
  local code = found.sent[3]
  if not found.sent[1] and code ~= "declined" and code ~= "dismissed" then
    return nil, "the client could not open a page: " .. found.sent[2], "no_page"
  end
  return table.unpack(found.served, 1, 3)
end


---@param call Call
---@param message string
---@param labels string[]
---@param seconds number
---@return string? label
---@return string? err
---@return string? code  "dismissed", "timeout", "no_page"
function M.ask(call, message, labels, seconds)
  local question = { message = message, labels = labels, path = "/" .. name() }
  return both(call, question, seconds)
end


return M
