--- Runs in the process of a foreign tool: runs its file, then returns the file's declaration, or calls its function.

--- Removes functions, which only that process can have, and returns the names of those at the top.
---@return string[] names
local function take_functions(value, seen, names)
  seen[value] = true
  for key, member in next, value do
    if type(member) == "function" then
      if names and type(key) == "string" then names[#names + 1] = key end
      rawset(value, key, nil)
    elseif type(member) == "table" and not seen[member] then
      take_functions(member, seen)
    end
  end
  return names or {}
end


---@param file function                 the file's own statements
---@param job? {args: table}            nil: only the declaration is wanted
---@param call Call
---@param is_result fun(value: any): boolean
return function(file, job, call, is_result)
  local tool = file()
  if type(tool) ~= "table" then return { type = type(tool) } end
  if not job then
    local names = take_functions(tool, {}, {})
    return { type = "table", tool = tool, functions = names }
  end
  local returned = table.pack(tool.run(job.args, call))
  returned.whole = is_result(returned[1])
  return returned
end
