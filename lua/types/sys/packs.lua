---@meta sys.packs

--- The packs in the user's directory (docs/packs.md), as the engine sees them.
---@class sys.packs
local packs = {}

--- Where they are: a directory for each. It may not exist.
---@return string? path  absolute
---@return string? err
---@return string? code  "no_packs": this engine was started without the user's directory
function packs.folder() end

---@class sys.packs.Pack
---@field name string
---@field path string       absolute
---@field usable boolean    false: nothing in it is loaded; `problem` says why
---@field approved boolean  all files are as they were when the user approved it
---@field changed boolean   it was approved, and is another since; `problem` says what was found first
---@field problem? string

--- By name, after a look at the disk.
---@return sys.packs.Pack[]? packs
---@return string? err
---@return string? code  "no_packs"
function packs.list() end

---@class sys.packs.File
---@field path string   inside the pack: "tools/now.lua"
---@field size integer  bytes
---@field stamp string  another one for every other state of the file

--- The files that count for an approval, by path as bytes compare: all but `.git` and `.DS_Store`. Waits for the disk without
--- holding up other calls.
---@param name string  of a directory in folder()
---@return sys.packs.File[]? files
---@return string? err   names a file that a pack must not have
---@return string? code  "link", "not_a_file", "bad_name", "too_many" (1000 files, 200 directories), "too_large" (4194304 bytes
---                      a file, 16777216 in all), "too_deep" (8 directories in one another), "not_found", ..., "no_packs"
function packs.files(name) end

return packs
