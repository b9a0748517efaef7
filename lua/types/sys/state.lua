---@meta sys.state

--- Tables that outlive a reload: module-level variables of a tool file start again when the file is swapped, these do not. They are
--- gone when the engine ends.
---@class sys.state
local state = {}

--- The same table for the same name, in every file and every generation.
---@param name string  usually the toolset's
---@return table
function state.open(name) end

--- The tables that there are, and what opened each: tools by their names, or tasks (the first 50).
---@return {name: string, users: string[]}[] list  in no order
function state.list() end

return state
