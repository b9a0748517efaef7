--- Records sent messages, and those that may have been sent, on disk before the first byte is sent. So a call that was
--- interrupted and is repeated sends nothing twice.
--
-- An entry is "begun" before the first byte is sent, and "sent" when the server has accepted the message. It is removed if it
-- is certain that the server did not. An entry that is still "begun" when the lock is free belongs to a call that was
-- interrupted.

local crypto    = require "sys.crypto"
local file_lock = require "file_lock"
local store     = require "sys.store"
local task      = require "sys.task"
local time      = require "sys.time"

local M = {}

local PATIENCE = 120              -- seconds to wait while another process sends
local KEPT = 30 * 24 * 3600       -- seconds for which an entry is kept
local MOST = 2000                 -- the number of entries that are kept

---@class mail.Entry
---@field state "begun"|"sent"
---@field at number          seconds since 1970
---@field message_id string
---@field content string     the digest of the content
---@field id? string         the server's ID of the message, once it is sent


---@class mail.Turn
---@field held? table[]  the locks, once it has come
local Turn = {}
Turn.__index = Turn


--- Waits until no other call of any process sends. Until the turn is closed, none does.
---@return true? ok
---@return string? err
---@return string? code  "busy"
function Turn:take()
  self.held = { task.lock "mail" }
  local there, err, code = file_lock.hold("mail", PATIENCE)
  if code == "busy" then err = "another program is still sending mail after two minutes. Try again later" end
  if not there then return nil, err, code end
  self.held[2] = there
  return true
end


function Turn:__close()
  for _, lock in ipairs(self.held or {}) do
    local _ <close> = lock
  end
end


--- Returns a turn to send, to be taken and then closed. The user must not be asked anything between.
---@return mail.Turn
function M.turn() return setmetatable({}, Turn) end


--- Calls fn() while no other call of any process sends.
---@param fn fun(): ...
---@return any
---@return string? err
---@return string? code  "busy"
function M.alone(fn)
  local turn <close> = M.turn()
  local ok, err, code = turn:take()
  if not ok then return nil, err, code end
  return fn()
end


local function name_of(key) return crypto.hex(assert(crypto.sha256(key))) end


local function open() return store.open "mail" end


---@param key string
---@return mail.Entry|false|nil entry  false if there is none
---@return string? err
---@return string? code
function M.get(key)
  local all, err, code = open():get "entries"
  if err then return nil, err, code end
  return all and all[name_of(key)] or false
end


--- Returns the entries without those that are too old, or too many.
local function pruned(all)
  local kept, count = {}, 0
  for name, entry in pairs(all) do
    if time.now() - entry.at < KEPT then kept[name], count = entry, count + 1 end
  end
  while count > MOST do
    local oldest
    for name, entry in pairs(kept) do
      if not oldest or entry.at < kept[oldest].at then oldest = name end
    end
    kept[oldest], count = nil, count - 1
  end
  return kept
end


---@param key string
---@param entry? mail.Entry  nil removes the entry
---@return true? ok
---@return string? err
---@return string? code
function M.put(key, entry)
  local _, err, code = open():update("entries", function(all)
    all = pruned(all or {})
    all[name_of(key)] = entry
    return next(all) and all or nil
  end)
  if err then return nil, err, code end
  return true
end


return M
