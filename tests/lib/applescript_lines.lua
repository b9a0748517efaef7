--- Prints a script's logical lines and findings as JSON, for tests/lib/applescript.py: perigee run THIS TEXT FOLDER
local check        = require "applescript.check"
local dictionaries = require "applescript.dictionaries"
local fs           = require "sys.fs"
local json         = require "sys.json"
local lexer        = require "applescript.lexer"

local text, folder = ...
local known = dictionaries.new()
for _, entry in ipairs(assert(fs.list(folder))) do
  assert(known:add(entry.name:match "^(.*)%.sdef$", assert(fs.read(folder .. "/" .. entry.name))))
end

local place, lines = lexer.places(text), json.array {}
for line in lexer.lines(text, function() end) do
  local strings = json.array {}
  for i = 1, line.n do
    if line.kinds[i] == "string" then strings[#strings + 1] = line.texts[i] end
  end
  lines[#lines + 1] = { number = (place(line.ats[1])), code = lexer.code(text, line), strings = strings }
end
print(json.encode { lines = lines, findings = json.array(check.run(text, { dictionaries = known }).findings) })
