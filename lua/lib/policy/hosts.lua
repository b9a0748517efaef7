--- The hosts that callers named. Text from outside that is to go to a host which nobody named may be on its way to whoever wrote
--- that text.

local address  = require "policy.address"
local declared = require "policy.declared"

local M = {}

local MOST = 1000   -- hosts of a caller

local ASKED = -2    -- in place of the number of a call

local named = {}    -- by caller: its hosts, each with the number of the call that named it first, the set of its own, a count


--- True if a text may be a host, or a URL without its scheme.
local function is_like_host(text, key, kind)
  if kind == "host" then return text ~= "" and text ~= "/" and not text:find "^/[^/\\]" end
  return kind == nil and declared.GUESSED[key] == "host"
    and (text:find "^[^/]+%.[^/]" or text:find "^[%x:%[%]]+$" and text:find ":.*:") ~= nil
end


--- Adds the hosts that a text names, as a whole or in a part of it; one that cannot be told as false.
local function add(list, text, key, kind)
  local lower, before = text:lower(), #list
  if lower:find "^file:///" then return end
  if lower:find "^%a[%w+.-]*://[^%s]*$" then
    list[#list + 1] = address.host_of(text) or false
    return
  end
  for authority in lower:gmatch "://([^%s%c/?#\\\"'<>(),;!]*)" do
    list[#list + 1] = address.host_of("x://" .. authority) or false
  end
  for host in lower:gmatch "[^%s%c@]@([^%s%c@/?#\\\"'<>(),;:!]+%.[^%s%c@/?#\\\"'<>(),;:!.]+)" do
    list[#list + 1] = address.host(host) or false
  end
  -- Programs leave control characters and blanks out, and take one slash, or a backslash, for two.
  local is_odd = lower:gsub("[%c%s]", ""):find "^[{]?%a[%w+.-]*[}]?:[/\\]" and not lower:find "^%a:[/\\]"
  if not is_odd and not is_like_host(lower, key, kind) then return end
  local rest = text:gsub("^//", "")
  local host = not is_odd and (address.host_of("x://" .. rest) or address.host(rest))   -- also before one in the rest of it
  if host or #list == before then list[#list + 1] = host or false end
end


--- The hosts in the arguments of a call; false for one that cannot be told.
---@param args any
---@param about? table  as the tool's file declares them
---@return (string|false)[]
function M.of(args, about)
  local list = {}
  declared.each(about, args, function(text, key, kind)
    if kind ~= "nothing" then add(list, text, key:lower(), kind) end
  end)
  return list
end


--- Keeps the hosts in the arguments, but for those that came from outside before.
---@param who string
---@param args table
---@param root integer  the number of the outermost call: for that one itself they are not known yet; -1: for all they are
---@param is_outside fun(host: string): boolean
---@param about? table  as the tool's file declares them
function M.note(who, args, root, is_outside, about)
  local mine = named[who] or { count = 0, hosts = {}, own = {} }
  for _, host in ipairs(M.of(args, about)) do
    if host and not mine.hosts[host] and not is_outside(host) then
      if mine.count >= MOST then mine = { count = 0, hosts = {}, own = {} } end
      mine.hosts[host], mine.own[host], mine.count = root, true, mine.count + 1
    end
  end
  named[who] = mine
end


--- Forgets hosts for good: a user is asked about them, so they are none that the caller named by itself.
---@param who string
---@param hosts (string|false)[]
function M.forget(who, hosts)
  local mine = named[who] or { count = 0, hosts = {}, own = {} }
  for _, host in ipairs(hosts) do
    if host then
      if not mine.hosts[host] then mine.count = mine.count + 1 end
      mine.hosts[host], mine.own[host] = ASKED, nil
    end
  end
  named[who] = mine
end


--- The hosts that a caller named by itself, as a set; nil: none.
---@param who string
---@return table<string, true>?
function M.own(who) return named[who] and named[who].own end


--- The number of the call that first named the host, or the domain that it is in; nil: none did.
---@param mine? table
---@param host string
---@return integer?
local function named_by(mine, host)
  local is_name = not host:find ":" and not host:find "^[%d.]+$"
  while mine and host do
    if mine.hosts[host] then return mine.hosts[host] end
    host = is_name and host:match "^[^.]+%.([^.]+%..+)$" or nil
  end
end


--- True if the caller named all of these hosts, or the domains that they are in, in other calls.
---@param who string
---@param hosts (string|false)[]
---@param root integer
---@return boolean
function M.known(who, hosts, root)
  local mine = named[who]
  for _, host in ipairs(hosts) do
    local by = host and named_by(mine, host)
    if not by or by == root or by == ASKED then return false end
  end
  return true
end


return M
