---@meta sys.packs

--- The packs in the user's directory (docs/packs.md), as the engine reads them.
---@class sys.packs
local packs = {}

--- Returns the directory of the packs, which has a directory for each. It may not exist.
---@return string? path  absolute
---@return string? err
---@return string? code  "no_packs": this engine was started without the user's directory
function packs.folder() end

---@class sys.packs.Pack
---@field name string
---@field path string       absolute
---@field usable boolean    false: nothing in it is loaded; `problem` says why
---@field approved boolean  true if all files are as they were when the user approved it
---@field changed boolean   true if it was approved, and changed since; `problem` says what was found first
---@field problem? string

--- Lists the packs by name, after reading the disk.
---@return sys.packs.Pack[]? packs
---@return string? err
---@return string? code  "no_packs"
function packs.list() end

---@class sys.packs.File
---@field path string   inside the pack: "tools/now.lua"
---@field size integer  bytes
---@field stamp string  a string that differs for every state of the file

--- Lists the files that an approval covers, by path as bytes compare: all except `.git` and `.DS_Store`. Waits for the disk
--- without blocking other calls.
---@param name string  the name of a directory in folder()
---@return sys.packs.File[]? files
---@return string? err   names a file that a pack must not have
---@return string? code  "link", "not_a_file", "bad_name", "too_many" (1000 files, 200 directories), "too_large" (4194304 bytes
---                      a file, 16777216 in all), "too_deep" (8 nested directories), "not_found", ..., "no_packs"
function packs.files(name) end

return packs
