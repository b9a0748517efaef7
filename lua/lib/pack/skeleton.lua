--- perigee new pack: writes a pack to start from, with examples and tests that pass. NAME, WORD and TITLE stand for the user's
-- name for it; WORD is the name as an identifier.

local fs = require "sys.fs"

local M = {}

local NAME, NAME_BYTES = "^[a-z][a-z0-9_-]*$", 64

---@type {[1]: string, [2]: string}[]  path and text
local FILES = {
  { "pack.lua", [==[
--- The manifest of this pack. Plain values only: it is read, and never run.
return {
  name        = "NAME",
  version     = "0.1.0",
  description = "TITLE: one line for those who choose a pack.",
  requires    = { perigee = ">= 0.1" },
}
]==] },

  { "lib/WORD/words.lua", [==[
--- A module for the tools of this pack: require "WORD.words". Files outside of the pack cannot require it.

local text = require "sys.text"

local M = {}


--- Counts the words of some text, in lower case.
---@param given string
---@return table<string, integer> counts
function M.count(given)
  local counts = {}
  for word in text.lower(given):gmatch "[^%s%p]+" do counts[word] = (counts[word] or 0) + 1 end
  return counts
end


return M
]==] },

  { "tools/WORD_count.lua", [==[
--- Counts words: an example to replace.

local s     = require "schema"
local words = require "WORD.words"


---@type Tool
return {
  title       = "Count words",
  description = "Count how often each word occurs. (What a model reads before it calls the tool.)",
  inputSchema = s.object { { "text", s.string "The text." } },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(args)
    local counts = words.count(args.text)
    if not next(counts) then return nil, "There are no words. Pass text with at least one.", "no_words" end
    return { counts = counts }
  end,

  examples = {
    { "counts words", args = { text = "Two and two" }, want = { counts = { two = 2, ["and"] = 1 } } },
    { "needs words", args = { text = " - " }, code = "no_words" },
  },
}
]==] },

  { "tests/WORD_test.lua", [==[
--- Run by `perigee pack test`, with the pack as current directory. An error fails it.

local words = require "WORD.words"

assert(words.count("A rose is a rose.").rose == 2, "punctuation is not part of a word")
assert(tools.WORD_count { text = "a b a" }.counts.a == 2, "the tool counts what the lib file counts")
]==] },

  { "README.md", [==[
# NAME

TITLE: what it is for, in two sentences.

```sh
perigee pack add .             # or the URL of its git repository
perigee call WORD_count text="two and two"
```

While you write it, use it as a root: `perigee call --root . WORD_count text=x`. Prompts, resources, providers, commands
and services (`perigee new service WORD --root .`) work in the same way. `perigee pack test .` runs all examples and
tests. See docs/packs.md of Perigee.
]==] },
}


---@param text string
---@param name string
---@return string
local function filled(text, name)
  local word = name:gsub("-", "_")
  local title = word:gsub("_", " "):gsub("^%l", string.upper)
  return (text:gsub("%f[%w_]%u+", { NAME = name, TITLE = title }):gsub("%f[%u]WORD%f[%U]", word))
end


--- Writes the pack into a new directory ./NAME.
---@param name string
---@param io perigee.IO
---@return string? directory  absolute
---@return string? err
---@return string? code
function M.write(name, io)
  if not name:find(NAME) or #name > NAME_BYTES then
    return nil, ("\"%s\" cannot be the name of a pack: use small letters, digits, _ and -, begin with a letter, and at most %d")
      :format(name, NAME_BYTES), "usage"
  end
  local here, err, code = io:grant(".", "write")
  if not here then return nil, err, code end
  local directory = ("%s/%s"):format(here, name)
  if fs.stat(directory) then return nil, directory .. " exists already, and was left as it is", "exists" end
  for _, file in ipairs(FILES) do
    local path = ("%s/%s"):format(directory, filled(file[1], name))
    local ok
    ok, err, code = io:grant(path:match "^(.*)/", "write")
    if ok then ok, err, code = io:save(path, filled(file[2], name)) end
    if not ok then return nil, err, code end
  end
  return directory
end


return M
