--- Stand-in for sys.http: real requests through the curl program, with the same retries.
local http = {}

local FAULTS = { [6] = "dns", [7] = "connection_refused", [18] = "cut_off", [28] = "timeout", [52] = "cut_off" }

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function slurp(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "a"
  file:close()
  return text
end

local function headers_of(text)
  local headers = {}
  for name, value in text:gmatch "\r?\n([%w-]+):%s*([^\r\n]*)" do headers[name:lower()] = value end
  return headers
end

local function once(request)
  local json = require "sys.json"
  local base = os.tmpname()
  local body = request.json ~= nil and json.encode(request.json) or request.body
  local command = { "curl -sS -o", quoted(base .. ".body"), "-D", quoted(base .. ".head"),
    "--max-time", tostring(request.timeout or 60), "-X", request.method or (body and "POST" or "GET") }
  for name, value in pairs(request.headers or {}) do command[#command + 1] = "-H " .. quoted(name .. ": " .. value) end
  if body then
    local file = assert(io.open(base, "wb"))
    file:write(body)
    file:close()
    command[#command + 1] = "-H 'Content-Type: application/json' --data-binary @" .. base
  end
  command[#command + 1] = quoted(request.url) .. " 2>/dev/null"
  local _, _, code = os.execute(table.concat(command, " "))
  local response, err, fault
  if code == 0 then
    local head = slurp(base .. ".head")
    response = { status = tonumber(head:match "^HTTP/[%d.]+ (%d+)"), headers = headers_of(head),
      body = slurp(base .. ".body"), url = request.url }
  else
    err, fault = ("curl ended with %d"):format(code), FAULTS[code] or "failed"
  end
  for _, suffix in ipairs { "", ".body", ".head" } do os.remove(base .. suffix) end
  return response, err, fault
end

function http.request(request)
  local tries = request.retry and (request.retry.attempts or 3) or 1
  local response, err, code
  for attempt = 1, tries do
    response, err, code = once(request)
    if code == "timeout" then break end
    if response then
      response.attempts = attempt
      if response.status ~= 429 and response.status < 500 then break end
      local wait = tonumber(response.headers["retry-after"] or "0")
      if wait > (request.timeout or 60) then break end
    end
  end
  return response, err, code
end

function http.escape(text)
  return (text:gsub("[^%w._~-]", function(c) return ("%%%02X"):format(c:byte()) end))
end

return http
