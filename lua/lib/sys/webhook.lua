--- sys.webhook: a listener for requests that other programs send, such as "this build failed" or "the doorbell rang".
--
-- It listens on 127.0.0.1. Requests that are malformed, too large, for another host, path or method, from a page of another
-- host, or without the secret are refused before a script sees them. The others wait in a queue; when it is full, senders get
-- 503 and try again. A request that is not answered in time gets 504. It is not a web server: it serves no files, and speaks
-- HTTP/1.1 without TLS. Put a proxy or a tunnel in front of it for senders elsewhere, and name its host in `hosts`.
--
-- Senders prove the secret by "Authorization: Bearer SECRET", or sign the body with it, as GitHub and many others do: a header
-- has the HMAC-SHA-256 of the body in hexadecimal digits.

local core    = require "sys.webhook"
local handles = require "handles"
local json    = require "sys.json"
local log     = require "sys.log"
local task    = require "sys.task"
local url     = require "sys.url"

---@class sys.webhook
local M = {}

---@class sys.webhook.Options
---@field port?      integer   default: any free port; hook:url() has it
---@field path?      string    the only path that exists, such as "/hook" (default: every path)
---@field methods?   string[]  default: { "POST" }
---@field secret?    string    default: none, and everyone who reaches the address may send
---@field signature? string    the header of signed requests (default: "X-Hub-Signature-256")
---@field address?   string    an IP address, or "*" for all of this machine; one that other machines can reach needs a secret
---                            (default: "127.0.0.1")
---@field hosts?     string[]  names in the Host header besides those of this machine: that of a tunnel
---@field origins?   string[]  pages that may send, such as "https://example.com" or "*" (default: only those of this machine)
---@field max_bytes? integer   limit of a body (default: 1048576, maximum: 10485760)
---@field queue?     integer   requests that may wait (default: 64, maximum: 1000)
---@field timeout?   number    seconds for an answer (default: 30, maximum: 600)
---@field at_once?   integer   requests that a function gets at a time (default: 8, maximum: 64)

local DEFAULTS = { methods = { "POST" }, signature = "X-Hub-Signature-256" }
local AT_ONCE, AT_ONCE_MOST = 8, 64

--- Headers that only the server writes.
local ITS_OWN = { ["content-length"] = true, ["transfer-encoding"] = true, ["connection"] = true, ["date"] = true }


-- --- requests -----------------------------------------------------------------------------------------

---@class sys.webhook.Request
---@field method  string                 "POST"
---@field path    string                 decoded: "/build"
---@field query   string                 the part after the "?", encoded; parameters() reads it
---@field headers table<string, string>  names in lower case; repeated ones joined by ", "
---@field body    string
local Request = {}
Request.__index = Request


--- Returns the body, decoded as JSON.
---@return any value
---@return string? err
---@return string? code  as from sys.json.decode
function Request:json() return json.decode(self.body) end


--- Returns the values of the query by their names. If a name is repeated, the first value is used; `pairs_` has all.
---@return table<string, string> values
---@return {[1]: string, [2]: string}[] pairs_
function Request:parameters() return url.decode_query(self.query) end


--- Returns the values of a body that a form sent (application/x-www-form-urlencoded).
---@return table<string, string> values
---@return {[1]: string, [2]: string}[] pairs_
function Request:form() return url.decode_query(self.body) end


--- Returns names and values in turn, with a Content-Type if the body has one and the caller named none.
local function flat(headers, kind)
  local list, typed = {}, false
  for name, value in pairs(headers or {}) do
    if ITS_OWN[name:lower()] then error(("the server writes the header %s itself. Leave it out"):format(name), 3) end
    typed = typed or name:lower() == "content-type"
    list[#list + 1], list[#list + 2] = name, tostring(value)
  end
  if kind and not typed then list[#list + 1], list[#list + 2] = "Content-Type", kind end
  return list
end


--- Answers the request. A request has only one answer.
---@param status? integer             200 to 599 (default: 200 with a body, otherwise 204)
---@param body? string|table          a table is sent as JSON
---@param headers? table<string, string|number>
---@return true? ok
---@return string? err
---@return string? code  "gone": it was answered already, its time is over, or the client has left; "not_json": the table
function Request:reply(status, body, headers)
  local kind
  if type(body) == "table" then
    local text, err, code = json.encode(body)
    if not text then return nil, err, code end
    body, kind = text, "application/json"
  elseif body then
    kind = "text/plain; charset=utf-8"
  end
  return self.core:answer(status or (body and 200 or 204), flat(headers, kind), body or "")
end


-- --- the listener -------------------------------------------------------------------------------------

---@class sys.webhook.Hook
---@field private core sys.webhook.Listener
---@field path? string
---@field address string
local Hook = {}
Hook.__index = Hook
Hook.__name = "sys.webhook.Hook"


--- Returns the request that waits longest, or waits for the next one. Any number of tasks may wait.
---@param timeout? number  seconds (default: no limit)
---@return sys.webhook.Request? request
---@return string? err
---@return string? code  "timeout", "closed"
function Hook:next(timeout)
  local request, fields, code = self.core:next(timeout)
  if not request then return nil, fields, code end
  fields.core = request
  return setmetatable(fields, Request)
end


--- Returns the requests for a `for` loop, one after the other, until the hook is closed. Answer each.
function Hook:__call()
  local request, err, code = self:next()
  if not request and code ~= "closed" then error(err, 2) end
  return request
end


--- Turns the return values of a function into arguments of reply().
local function answer_of(first, second, headers)
  if math.type(first) == "integer" then return first, second, headers end
  return nil, first, second
end


local function answered(request, fn) return request:reply(answer_of(fn(request))) end


--- Takes the next request and answers it; false if there are no more.
local function handle_next(hook, fn, failed)
  local request = hook:next()
  if not request then return false end
  local ok, sent, why, code = pcall(answered, request, fn)
  if ok and (sent or code == "gone") then return true end
  log.error(tostring(ok and why or sent))   -- the log names the task
  if failed then failed() end
  request:reply(500, "The request failed.\n")
  return true
end


--- Answers requests with the return values of a function, until the hook is closed: status, body and headers, as reply() takes
--- them; or a body and headers; or nothing. Each runs in a task of its own. If it raises an error, the sender gets 500, the log
--- has the error, and the others go on.
---@param fn fun(request: sys.webhook.Request): any, any, any
---@param at_once? integer  requests at a time (default: 8, maximum: 64)
---@param failed? fun()     called for each request whose function raised an error
function Hook:serve(fn, at_once, failed)
  local workers = {}
  for i = 1, at_once or AT_ONCE do workers[i] = i end
  task.map(workers, function()
    while handle_next(self, fn, failed) do end
  end, #workers)
end


--- Returns the port on which it listens.
---@return integer port  0 when it is closed
function Hook:port() return self.core:port() end


--- Returns the URL at which it listens: "http://127.0.0.1:8090/build".
---@return string
function Hook:url()
  local host = self.address:find(":", 1, true) and "[" .. self.address .. "]" or self.address
  return ("http://%s:%d%s"):format(host == "*" and "127.0.0.1" or host, self:port(), self.path or "/")
end


--- Stops listening, and ends the loops that wait. Requests without an answer get 503; answers that are being sent are
--- completed. `local hook <close> = ...` does the same.
function Hook:close() self.core:close() end

Hook.__close = Hook.close


local function is_local(address) return address == "localhost" or address == "::1" or address:find "^127%." ~= nil end


--- Returns a handle whose function answers the requests until it is stopped.
local function serving(hook, fn, at_once)
  local handle, err, code = handles.new("sys.webhook " .. hook:url(), function(handle)
    local open <close> = hook
    open:serve(fn, at_once, function() handle.failures = handle.failures + 1 end)
  end)
  if not handle then
    hook:close()
    return nil, err, code
  end
  handle.port = function() return hook:port() end
  handle.url = function() return hook:url() end
  return handle
end


--- Begins to listen. With a function it returns a handle, which belongs to the service or the script and ends with it, and the
--- function answers each request as serve() does. Without one it returns a hook, for a loop.
---@param options? sys.webhook.Options
---@param fn? fun(request: sys.webhook.Request): any, any, any
---@return sys.webhook.Hook|Handle|nil hook  both have port() and url()
---@return string? err
---@return string? code  "in_use", "denied", "bad_address", "module_missing"; for a handle also "not_lasting": a call of a tool
---                      would end it at once
function M.listen(options, fn)
  if fn ~= nil and type(fn) ~= "function" then error("sys.webhook.listen: expected a function, not a " .. type(fn), 2) end
  local given = {}
  for name, value in pairs(options or {}) do given[name] = value end
  for name, value in pairs(DEFAULTS) do
    if given[name] == nil then given[name] = value end
  end
  local address, at_once = given.address or "127.0.0.1", given.at_once or AT_ONCE
  given.at_once = nil
  if math.type(at_once) ~= "integer" or at_once < 1 or at_once > AT_ONCE_MOST then error("at_once: expected 1 to 64", 2) end
  if given.path and given.path:sub(1, 1) ~= "/" then error('the path of a webhook begins with "/"', 2) end
  if given.secret == "" then error("the secret of a webhook is empty", 2) end
  if not is_local(address) and not given.secret then
    error(("other machines can reach %s. Give the webhook a secret"):format(address), 2)
  end
  local listener, err, code = core.open(given)
  if not listener then return nil, err, code end
  local hook = setmetatable({ core = listener, path = given.path, address = address }, Hook)
  if fn then return serving(hook, fn, at_once) end
  return hook, nil, nil, hook   -- `for` closes the fourth
end


return M
