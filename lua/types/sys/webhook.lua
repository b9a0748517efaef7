---@meta sys.webhook

-- The part of sys.webhook that is C. lua/lib/sys/webhook.lua has the rest, and says what the module is.
---@class sys.webhook
local webhook = {}

--- Opens a listener for listen().
---@param options sys.webhook.Options  with `methods` and `signature`
---@return sys.webhook.Listener? listener
---@return string? err
---@return string? code  as sys.webhook.listen()
---@private
function webhook.open(options) end

---@private
---@class sys.webhook.Listener
local listener = {}

--- Takes the request that waits longest, or waits for one; any number of tasks may wait.
---@param timeout? number  seconds (default: no limit)
---@return sys.webhook.Exchange? request
---@return {method: string, path: string, query: string, headers: table<string, string>, body: string}|string|nil fields
---@return string? code  "timeout", "closed"
function listener:next(timeout) end

---@return integer port  0 if it is closed
function listener:port() end

--- Stops listening. Requests without an answer get 503; answers that are being sent are completed.
function listener:close() end

---@private
---@class sys.webhook.Exchange
local request = {}

---@param status integer    200 to 599
---@param headers string[]  names and values in turn, at most 50 pairs; something else raises an error
---@param body string
---@return true? ok
---@return string? err
---@return string? code  "gone"
function request:answer(status, headers, body) end

--- Gives the request up: without an answer it gets 500.
function request:release() end

return webhook
