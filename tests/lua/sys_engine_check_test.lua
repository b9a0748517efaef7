#!/usr/bin/env tests/lua/run
--- sys.engine.run_lua with `check`: Lua text is compiled in a guest, and none of it runs.
local engine = require "sys.engine"
local t      = require "check"

local function check(code) return engine.run_lua(code, { check = true, name = "script" }) end


t.case("text that compiles is true, whatever it would do", function()
  for _, code in ipairs { "", "return 1", "error 'it ran'", "while true do end", "#!/usr/bin/lua\nreturn 1",
    "return setmetatable({}, { __gc = error, __close = error })", "print 'it ran'" } do
    local result, err = check(code)
    t.same({ result and result.value, err, result and result.output }, { true, nil, "" })
  end
end)

t.case("an error has its line", function()
  t.same({ check "x = 1\nreturn +" }, { nil, "script:2: unexpected symbol near '+'", "syntax", "" })
  t.same({ check "goto nowhere" }, { nil, "script:1: no visible label 'nowhere' for <goto> at line 1", "syntax", "" })
end)

t.case("bytecode is refused", function()
  local _, err, code = check(string.char(27) .. "LuaT")
  t.same(code, "syntax")
  t.has(err, "attempt to load a binary chunk")
end)

t.done()
