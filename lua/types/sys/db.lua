---@meta sys.db

-- The part of sys.db that is C. lua/lib/sys/db.lua has the rest, and says what the module is.
---@class sys.db
local db = {}

--- Connects to the database of this name in the state folder. The first batch opens it, and makes it unless it is there or
--- `readonly`.
---@param name string       a-z, 0-9 and _, at most 50
---@param readonly boolean  a dry run opens all of them so
---@return sys.db.Core? database
---@return boolean|string readonly_or_err
---@return string? code "io", "module_missing", "module_broken"
---@private
function db.connect(name, readonly) end

--- Renames the files of a database: all of them, or none.
---@param name string
---@return string? path  what it is called now
---@return string? err
---@return string? code "io"
---@private
function db.set_aside(name) end

---@private
---@class sys.db.Core
local database = {}

---@alias sys.db.Value boolean|number|string|nil
---@alias sys.db.Statement {[integer]: sys.db.Value, n?: integer}  the SQL and its values, whose number `n` says if some are nil

---@class sys.db.Result
---@field rows table<string, any>[]  by the names of columns; NULL is absent
---@field changes integer            rows that were inserted, changed or deleted
---@field id integer                 the row ID of the last row that was inserted

--- Runs statements until one fails. That takes back the transaction that one of them began.
---@param batch any[]  for each statement its SQL, the number of its values, and these; json.null for NULL
---@return any[]? values  for each statement: rows that were changed, last row ID, number of columns, names, number of rows, values;
---                       at most 200000 of these and 16 MB
---@return boolean|string recovered_or_err  true: whoever wrote it last did not close it
---@return string? code "not_found", "insecure" (of the first batch), "bad_sql", "bad_value", "constraint", "busy", "damaged",
---                     "disk_full", "read_only", "too_large", "io"
function database:run(batch) end

--- Rolls back what was begun and closes it. Twice is fine.
function database:close() end

return db
