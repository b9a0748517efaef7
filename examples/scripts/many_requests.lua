-- Requests several URLs at once and prints the status of each.
--
--   perigee run examples/scripts/many_requests.lua http://127.0.0.1:8080/ https://example.org/

local http    = require "sys.http"
local perigee = require "perigee"
local task    = require "sys.task"

task.map(perigee.args, function(url)
  local response, err = http.request { url = url, timeout = 10 }
  print(url, response and response.status or err)
end)
