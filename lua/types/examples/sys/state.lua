local state = require "sys.state"

--- open
local mine = state.open "example"
mine.count = (mine.count or 0) + 1
print(state.open "example".count)   --> 1

--- list
state.open "example"
for _, each in ipairs(state.list()) do
  if each.name == "example" then print(each.name) end   --> example
end
