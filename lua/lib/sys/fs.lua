--- sys.fs, the part that is Lua: what changes in folders.

local files = require "events.files"

local M = {}

--- What changes from now on in a granted folder: files and folders that come, go or get other content. A file that another one
--- replaces by a rename has changed. Links are not followed.
---@param folder string
---@param wanted? {recursive?: boolean}  also in all folders below it, at most 2,000
---@param fn? fun(event: sys.fs.Event)
---@return events.Source|Handle|nil source
---@return string? err
---@return string? code  "not_granted", "not_found", "not_a_folder", "too_many"
M.watch = files.watch

return M
