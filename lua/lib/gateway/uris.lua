--- Under which addresses a mounted server's resources appear: SCHEME+URI, as in notes+file:///a.txt.
--
-- So addresses of two servers never clash, and each says whose it is. What a server hands out (links and embedded
-- resources of results and prompts) is renamed on the way out, and what comes back to it on the way in. Only ui:
-- addresses stay as they are, since for clients that show such pages this scheme is what makes them pages.

local M = {}

local DEPTH = 32  -- of arguments that are looked through


--- A scheme for a server of this name that none of `taken` is: a letter, then letters, digits, . and -.
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


---@param scheme? string  nil: nothing is renamed
---@param uri string
---@return string
function M.ours(scheme, uri)
  if not scheme or uri:find "^ui:" then return uri end
  return scheme .. "+" .. uri
end


--- The server's own address; what is none of ours stays.
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


--- Arguments in which our addresses stand, made into what the server knows. Changes the table.
---@param scheme? string
---@param args table
---@return table
function M.arguments(scheme, args)
  return scheme and undo(scheme, args, 0) or args
end


--- One content block: changes the address of a link, or of an embedded resource.
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


--- The names of a template's variables: "day" and "from" of log://{day}{?from}.
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
