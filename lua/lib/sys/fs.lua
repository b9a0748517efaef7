--- sys.fs, the part that is Lua: events of files.

local files = require "events.files"

local M = {}

--- Reports changes in a granted folder from now on: files and folders that are created, removed or get other content. A file
--- that another one replaces by a rename has changed. Links are not followed.
---@param folder string
---@param wanted? {recursive?: boolean}  also in all folders below it, at most 2,000
---@param fn? fun(event: sys.fs.Event)
---@return events.Source|Handle|nil source
---@return string? err
---@return string? code  "not_granted", "not_found", "not_a_folder", "too_many"
M.watch = files.watch

return M
