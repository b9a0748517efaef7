--- The coverage of an approval for longer, in words: the person who gives it reads nothing else of it.

local quoting = require "desktop.quoting"

local M = {}

-- The deeds that are approved: by the kind of effect, and where its functions differ much, by the function.
local DEEDS = {
  input = "keys, text and pointer actions", press = "pressing and writing elements", drop = "dropping files and text",
  start = "starting programs and applications, and opening files and URLs",
  process = "running programs with any arguments and input", request = "HTTP requests", mail = "sending mail",
  message = "messages by D-Bus", mount = "calls of tools of mounted servers",
  model = "questions to models", clipboard = "writing and clearing the clipboard",
  window = "closing, moving and focusing windows",
  quit = "ending applications", python = "running Python code", record = "recording keys and clicks",
  file = { append = "adding to files", capture = "saving screenshots", copy = "copying files", make_folder = "making directories",
    remove = "deleting files", rename = "moving files", save_file = "saving slides", trash = "moving files to the trash",
    write = "writing files" },
  listen = "listening for requests",
  settings = { allow = "lifting a stop of input", settings = "changing what Perigee does", write = "keeping secrets" },
}


--- The kind of an effect as far as an approval distinguishes them: "file remove", "input"; "" for a call.
---@param facts policy.Facts|policy.Effect
---@return string
function M.deed(facts)
  if not facts.effect then return "" end
  return type(DEEDS[facts.effect]) == "table" and facts.effect .. " " .. facts.how or facts.effect
end


local function deed_in_words(facts)
  local words = DEEDS[facts.effect]
  if type(words) == "table" then words = words[facts.how] end
  return words or facts.effect
end


local function doer(facts)
  local name = facts.subject.name
  return name == "" and "a file by itself" or quoting.plain(name)
end


--- "every call of move_window, whatever its arguments"
local function by_one_tool(rule, facts, tool)
  if facts.effect then return ("%s by %s"):format(rule.capability or deed_in_words(facts), doer(facts)) end
  if facts.uri then return tool end
  local one = (facts.subject.kind == "prompt" and "every use of %s" or "every call of %s"):format(tool)
  return (rule.capability and ("%s: %s"):format(rule.capability, one) or one) .. ", whatever its arguments"
end


local function by_any_tool(rule, facts)
  local what = rule.capability or facts.effect and deed_in_words(facts) or "every call"
  return ("%s by any tool that is asked about for this reason"):format(what)
end


-- The words for a call without something that the rule goes by.
local ABSENT = { app = "is about no application", folder = "names no file and no directory", host = "names no host" }

--- ", if it names no file": for a call that has something of this kind there is another approval.
local function without(rule, shown)
  local list = {}
  for _, scope in ipairs(rule.per) do
    if ABSENT[scope] and not shown[scope] then list[#list + 1] = ABSENT[scope] end
  end
  return list[1] and ", if it " .. table.concat(list, " and ") or ""
end


-- The other parts, by their texts for a question.
local PARTS = {
  app = function(shown) return shown end,
  folder = function(shown) return shown .. " and in the directories in it" end,
  host = function(shown) return shown .. ", with any path" end,
}


---@param rule policy.Rule
---@param facts policy.Facts|policy.Effect
---@param shown table<string, string>  by scope: the text for people of each that the call has
---@param alone boolean  true: it is for these arguments alone
---@return string  "every call of move_window, whatever its arguments"
function M.of(rule, facts, shown, alone)
  local text
  if alone then
    text = facts.effect and shown.call or (shown.call:gsub(" with these arguments$", "") .. ", with these arguments only")
  else
    text = shown.tool and by_one_tool(rule, facts, shown.tool) or by_any_tool(rule, facts)
  end
  for _, scope in ipairs { "app", "folder", "host" } do
    if shown[scope] then text = text .. " " .. PARTS[scope](shown[scope]) end
  end
  return alone and text or text .. without(rule, shown)
end


return M
