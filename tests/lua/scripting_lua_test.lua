#!/usr/bin/env tests/lua/run
--- validate_script for Lua: the text is compiled in a guest, and none of it runs.
local t        = require "check"
local validate = require "scripting.validate"

local function check(script) return assert(validate.run { script = script, type = "lua" }) end


t.case("text that compiles is valid, whatever it would do", function()
  for _, script in ipairs { "", "return 1", "error 'it ran'", "#!/usr/bin/lua\nreturn 1", "#!/usr/bin/lua", "\239\187\191return 1",
    "return setmetatable({}, { __gc = error, __close = error })", "while true do end" } do
    t.same(check(script), { valid = true, checked = "compiled", errors = {}, warnings = {} }, script)
  end
end)

t.case("an error has its line", function()
  local function first(script)
    local found = check(script)
    return { found.valid, found.errors[1].line, found.errors[1].message }
  end
  t.same(first "x = 1\nreturn +", { false, 2, "unexpected symbol near '+'" })
  t.same(first "#!/usr/bin/lua\nreturn +", { false, 2, "unexpected symbol near '+'" })
  t.same(first "goto nowhere", { false, 1, "no visible label 'nowhere' for <goto> at line 1" })
  t.same(first "x()\nend x() do", { false, 2, "<eof> expected near 'end'" })
  t.same(first(string.char(27) .. "LuaT"), { false, 1, "It is a binary chunk, not the text of a script." })
end)

t.done()
