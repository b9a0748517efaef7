--- The URIs of a mounted server's resources: SCHEME+URI, for example notes+file:///a.txt.
--
-- So URIs of two servers never clash, and each shows its server. The URIs that a server returns (links and embedded resources
-- of results and prompts) are renamed on the way out, and those that it gets on the way in. Only ui: URIs stay as they are,
-- because this scheme tells clients to show them as pages.

local M = {}

local DEPTH = 32  -- levels of arguments that are searched


--- Returns a scheme for a server of this name that is not in `taken`: a letter, then letters, digits, . and -.
---@param name string
---@param taken table<string, any>
---@return string
function M.scheme(name, taken)
  local scheme = name:lower():gsub("[^%l%d.%-]", "-")
  if not scheme:find "^%l" then scheme = "m" .. scheme end
  local free, n = scheme, 1
  while taken[free] do
    n = n + 1
    free = scheme .. "-" .. n
  end
  return free
end


---@param scheme? string  nil renames nothing
---@param uri string
---@return string
function M.ours(scheme, uri)
  if not scheme or uri:find "^ui:" then return uri end
  return scheme .. "+" .. uri
end


--- Returns the server's own URI. A URI that is not one of ours stays as it is.
---@param scheme? string
---@param uri string
---@return string
function M.theirs(scheme, uri)
  if not scheme or uri:sub(1, #scheme + 1):lower() ~= scheme .. "+" then return uri end
  return uri:sub(#scheme + 2)
end


local function undo(scheme, value, depth)
  if type(value) == "string" then return M.theirs(scheme, value) end
  if type(value) == "table" and depth < DEPTH then
    for key, item in pairs(value) do
      local theirs = undo(scheme, item, depth + 1)
      if theirs ~= item then value[key] = theirs end
    end
  end
  return value
end


--- Replaces our URIs in arguments by the server's own. It changes the table.
---@param scheme? string
---@param args table
---@return table
function M.arguments(scheme, args)
  return scheme and undo(scheme, args, 0) or args
end


--- Renames the URI of a link, or of an embedded resource, in a content block.
---@param scheme? string
---@param block any
function M.block(scheme, block)
  if type(block) ~= "table" then return end
  local holder = block.type == "resource" and block.resource or block.type == "resource_link" and block
  if type(holder) == "table" and type(holder.uri) == "string" then holder.uri = M.ours(scheme, holder.uri) end
end


---@param scheme? string
---@param blocks any
function M.blocks(scheme, blocks)
  if type(blocks) ~= "table" then return end
  for _, block in ipairs(blocks) do M.block(scheme, block) end
end


--- Returns the names of a template's variables: "day" and "from" for log://{day}{?from}.
---@param template string
---@return string[]
function M.variables(template)
  local names = {}
  for inside in template:gmatch "{[+#./;?&]?([^{}]*)}" do
    for name in inside:gsub(":%d+", ""):gmatch "[%w_.%%]+" do names[#names + 1] = name end
  end
  return names
end


return M
