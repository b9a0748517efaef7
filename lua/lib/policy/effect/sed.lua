--- Scripts of sed: whether one may run a command. Only those of usual commands are known not to.

local M = {}


--- A command without its addresses: 5,9 or /x/, or $!.
local function behind_addresses(script)
  local rest, before = script, nil
  while rest ~= before do
    before = rest
    rest = rest:gsub("^[%d$,~+!%s]+", ""):gsub("^/[^/\\\n]*/I?", "")
  end
  return rest
end


--- The text behind the three signs of an s or y command; nil: they are not there.
local function behind_parts(text)
  local sign, at, seen = text:sub(1, 1), 2, 1
  if sign:find "[%w%s\\;]" or sign == "" then return nil end
  while at <= #text and seen < 3 do
    local char = text:sub(at, at)
    if char == sign then seen = seen + 1 end
    at = at + (char == "\\" and 2 or 1)
  end
  return seen == 3 and text:sub(at) or nil
end


--- The script behind its first command, if that is a usual one; nil: it is not.
local function behind_command(script)
  local rest = behind_addresses(script)
  if rest:find "^[sy]" then
    rest = behind_parts(rest:sub(2))
    rest = rest and rest:match "^[gpiIM%d]*%s*(.*)$"
  else
    rest = rest:match "^[pdqQ=nNDPhHgGx]?[ \t]*(.*)$"
  end
  return rest and (rest == "" and rest or rest:match "^[;\n](.*)$")
end


local function is_plain(script)
  while script and script ~= "" do script = behind_command(script) end
  return script ~= nil
end


--- The scripts in its arguments; nil: one stands in a file.
local function scripts_of(argv, at)
  local scripts, words, i = {}, {}, at + 1
  while i <= #argv do
    local word = argv[i]
    local short, script = word:match "^%-[nrEsuzi]*([ef])(.*)$"
    if word:find "^%-%-e" then short, script = "e", word:match "=(.*)$" or "" end
    if short == "f" or word:find "^%-%-fi" or word:find "^%-%-f$" then return nil end
    if short == "e" and script == "" or word:find "^%-[nrEsuzi]*l$" or word:find "^%-%-l[%a-]*$" then
      i = i + 1
      script = argv[i] or ""
    end
    if short then scripts[#scripts + 1] = script elseif not word:find "^%-" then words[#words + 1] = word end
    i = i + 1
  end
  return scripts[1] and scripts or { words[1] }
end


--- True if it may run something.
---@param argv string[]
---@param at integer  where the program is in these words
---@return boolean
function M.runs(argv, at)
  local scripts = scripts_of(argv, at)
  for _, script in ipairs(scripts or {}) do
    if not is_plain(script) then return true end
  end
  return scripts == nil
end


return M
