--- The examples of the reference: each runs, and prints what its `-->` comments say. `...` there stands for anything.
local console = require "sys.console"
local inspect = require "inspect"
local modules = require "cli.lua_modules"
local stubs   = require "stubs"
local t       = require "check"

local FEWEST = 0.6   -- of the functions of a module that people use have an example

--- Functions that cannot be shown here: what they need is not on every machine, or they would act on the machine itself.
local NOT_SHOWN = { ["sys.osascript"] = true, ["sys.ocr"] = true, ["sys.dbus"] = true,
  agent = true, ["sys.notify"] = true, ["sys.menu"] = true, ["sys.power"] = true, ["sys.idle"] = true, ["sys.awake"] = true,
  ["sys.audio"] = true }


--- The lines that the `-->` comments say.
local function expected(code)
  local lines = {}
  for line in (code .. "\n"):gmatch "(.-)\n" do
    lines[#lines + 1] = line:match "%-%->%s*(.-)%s*$"
  end
  return lines
end


local function matches(printed, wanted)
  local pattern = wanted:gsub("%p", "%%%0"):gsub("%%%.%%%.%%%.", ".*")
  return printed:find("^" .. pattern .. "$") ~= nil
end


local function run(name, head, code)
  local printed = {}
  local ok, kind, message = console.prompt():run(head .. "\n" .. code, {
    timeout = 30,
    printed = function(lines)
      for line in lines:gmatch "([^\n]*)\n?" do
        if line ~= "" then printed[#printed + 1] = line:match "^%s*(.-)%s*$" end
      end
    end,
  })
  t.ok(ok, ("%s: %s %s"):format(name, kind, message))
  local wanted = expected(code)
  for i = 1, math.max(#wanted, #printed) do
    t.ok(wanted[i] and printed[i] and matches(printed[i], wanted[i]),
      ("%s: line %d of what it prints is %s, expected %s"):format(name, i, inspect(printed[i]), inspect(wanted[i])))
  end
end


--- Functions and methods by the names of their examples.
local function shown_by(stub)
  local names, count = { [""] = true }, 0
  for name in pairs(stub.functions) do names[name], count = true, count + 1 end
  for _, type in ipairs(stub.types) do
    for _, fn in ipairs(type.methods) do names[stubs.method_name(type, fn)] = true end
  end
  return names, count
end


for _, group in ipairs(modules.groups()) do
  for _, module in ipairs(group) do
    local examples, stub = stubs.examples(module), stubs.of(module)
    local names, count = shown_by(stub)
    for _, name in ipairs(examples and examples.order or {}) do
      t.case(name == "" and module or module .. " " .. name, function()
        t.ok(names[name], module .. " has no " .. name)
        local code = examples.of[name]
        t.ok(code:find("-->", 1, true) or code:find "assert" or module == "sys.log", "it shows nothing")
        for line in code:gmatch "[^\n]+" do t.ok(utf8.len(line) <= 120, "a line is too long: " .. line) end
        run(module .. " " .. name, examples.head, code)
      end)
    end
    if not group.about and group.title ~= modules.MORE and not NOT_SHOWN[module] and not modules.ONLY_TYPES[module] then
      t.case("most functions of " .. module .. " have an example", function()
        local with, without = 0, {}
        for _, name in ipairs(stub.order) do
          if examples and (examples.of[name] or name == "" and examples.of[""]) then with = with + 1
          else without[#without + 1] = name end
        end
        t.ok(count == 0 or with >= count * FEWEST, ("%d of %d; without: %s"):format(with, count, table.concat(without, ", ")))
      end)
    end
  end
end

t.case("an example that does not print what it says fails", function()
  t.ok(matches("abc.", "a...c."))
  t.ok(not matches("abcd", "abc"))
  for code, why in pairs {
    ['print(1 + 1)  --> 3'] = 'is "2", expected "3"',
    ['print(1 + 1)'] = 'is "2", expected nil',
    ['local x = 1  --> 3'] = 'is nil, expected "3"',
    ['error "it fails"'] = "it fails",
  } do
    t.has(t.raises(function() run("x", "", code) end), why, code)
  end
end)

t.done()
