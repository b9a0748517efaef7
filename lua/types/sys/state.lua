---@meta sys.state

--- Tables that outlast a reload. Module-level variables of a tool file start again when the file is reloaded; these do not.
--- They are lost when the engine ends.
---@class sys.state
local state = {}

--- Returns the same table for the same name, in every file and every generation.
---@param name string  usually the name of the toolset
---@return table
function state.open(name) end

--- Lists the tables, and what opened each: tools by their names, or tasks (the first 50).
---@return {name: string, users: string[]}[] list  in no order
function state.list() end

return state
