--- The model double (tests/lib/model_double.py) as a child process. It ends when its stdin ends: with us.
local rig = require "rig"

local double = {}
double.__index = double

local http, json = rig.sys "http", rig.sys "json"

--- Starts it and waits until it listens: the port comes through a FIFO.
function double.start(slow)
  local fifo = os.tmpname()
  os.remove(fifo)
  assert(os.execute("mkfifo -m 600 " .. fifo))
  local command = "exec python3 tests/lib/model_double.py --until-eof --slow %g --ready %s >/dev/null"
  local process = assert(io.popen(command:format(slow, fifo), "w"))
  local ready = assert(io.open(fifo))
  local port = ready:read "n"
  ready:close()
  os.remove(fifo)
  return setmetatable({ process = process, address = "http://127.0.0.1:" .. port }, double)
end

--- The base address of a scenario, with a session of its own.
function double:base(session, scenario) return ("%s/%s/%s"):format(self.address, session, scenario) end

function double:script(session, replies)
  assert(http.request { url = ("%s/control/%s/script"):format(self.address, session), json = json.array(replies) })
end

function double:draw(session)
  assert(http.request { url = ("%s/control/%s/draw"):format(self.address, session), json = {} })
end

--- The requests of a session so far.
function double:requests(session)
  local response = assert(http.request { url = ("%s/control/%s/requests"):format(self.address, session) })
  return json.decode(response.body)
end

function double:stop() self.process:close() end

return double
