---@meta sys.app_files

--- Files by which applications describe themselves, without a grant: on a Mac those in the folders of applications, and
--- everywhere those in the folder that PERIGEE_SDEF_DIR names. They are only read. Links that lead outside are refused.
---@class sys.app_files
local app_files = {}

--- Returns the folders that may be read and exist now. Call it first: the other functions read in these.
---@return string[] folders  absolute
function app_files.folders() end

--- Returns all bytes of a file.
---@param path string  absolute
---@param max_bytes? integer  default 10485760, at most 268435456
---@return string? bytes
---@return string? err
---@return string? code  as sys.fs.read()
function app_files.read(path, max_bytes) end

--- Lists a folder, sorted by name. Links are not followed.
---@param path string
---@return sys.fs.Entry[]? entries
---@return string? err
---@return string? code  as sys.fs.list()
function app_files.list(path) end

--- Returns the entry of a file. A link is followed if it leads to one of the folders.
---@param path string
---@return sys.fs.Entry? entry
---@return string? err
---@return string? code
function app_files.stat(path) end

return app_files
