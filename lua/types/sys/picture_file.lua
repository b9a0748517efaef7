---@meta sys.picture_file

--- Where a picture goes: what is at a path that a user named, and temporary files. Nothing is written here but the empty
--- temporary file; sys.screen.capture{path=...} fills it.
---@class sys.picture_file
local picture_file = {}

---@class sys.picture_file.Place
---@field path string  absolute: "~/" is the home folder, others start at the current folder
---@field kind "free"|"folder"|"picture"|"other"  free: nothing is there. picture: a PNG or JPEG by its first bytes, or an empty
---                                               file. other: anything else, also what cannot be read

--- In a call of run_lua's code, a path outside the granted directories is "not_granted", whatever is there.
---@param path string
---@return sys.picture_file.Place? place
---@return string? err
---@return string? code  "bad_path", "not_granted"
function picture_file.look(path) end

--- A new, empty file in the temporary folder that no other user may read: perigee_UUID_INFO.EXTENSION. Those that were left an
--- hour ago or earlier are removed first.
---@param info string       part of the file's name
---@param extension string  "png"
---@return string? path
---@return string? err
---@return string? code
function picture_file.temporary(info, extension) end

--- Removes a file that temporary() made, and no other; one that is gone is fine.
---@param path string
---@return true? ok
---@return string? err
---@return string? code  "not_ours"
function picture_file.remove(path) end

return picture_file
