#!/usr/bin/env tests/lua/run
--- macros.writer: the text of macros, and that nothing which it is given becomes code.
local engine   = require "sys.engine"
local json     = require "sys.json"
local lines    = require "macros.lines"
local literals = require "macros.literals"
local t        = require "check"
local writer   = require "macros.writer"

local NONE = { parameters = {}, results = {} }

--- Strings that end a string, a comment or a statement in one language or another, and combinations of these.
local function odd_texts()
  local parts = { "", "a", '"', "'", "\\", "\n", "\r", "\0", "]]", "[[", "--", "--[[", "]==]", "${", "$${", "$", "}", "%", "%q",
    "\u{2028}", "é😀", "\t", "\27", "\127", "; error()", '" .. error() .. "', "end", "\\n", "\\\"", "<TITLE>", "*/" }
  local list = {}
  for _, a in ipairs(parts) do
    for _, b in ipairs(parts) do list[#list + 1] = a .. b end
  end
  return list
end


--- Runs Lua, and returns what it returns.
local function run(code)
  local done, err = engine.run_lua(code, { name = "code", as_text = true })
  if not done then error(err, 2) end
  return json.decode(done.value) or done.value
end


--- The same with the signs of parameters made plain.
local function escaped(text) return (text:gsub("%${", "$${")) end


--- Runs lines of a macro with an object that notes what is called, and returns the notes.
local function calls_of(list, args)
  return run(([[
local seen_, args = {}, %s
local window = setmetatable({}, { __index = function(_, name)
  return function(self, ...) seen_[#seen_ + 1] = { name, ... } end
end })
local macro = setmetatable({}, { __index = function(_, name)
  return function(self, ...)
    seen_[#seen_ + 1] = { "macro." .. name, ... }
    return name == "call" and { path = "/made", list = { "x", "y" } } or window
  end
end })
%s
return seen_]]):format(literals.value(args or {}, NONE), table.concat(list, "\n")))
end


local function written(steps, parameters)
  local list, count = lines.of(steps, parameters or {})
  if not list then return nil, count end
  return list, count
end


t.case("every string is written as that string, alone and as a key", function()
  local wanted, parts = odd_texts(), {}
  for i, text in ipairs(wanted) do
    parts[i] = assert(literals.value({ escaped(text) }, NONE))
  end
  for at = 1, #wanted, 200 do
    local slice = table.move(parts, at, math.min(at + 199, #parts), 1, {})
    local got = run("return { " .. table.concat(slice, ", ") .. " }")
    for i, each in ipairs(got) do t.same(each[1], wanted[at + i - 1]) end
  end
  local keyed = assert(literals.value({ ["a b"] = 1, ["end"] = 2, ok = 3, ['"] = error() --'] = 4 }, NONE))
  t.same(run("return " .. keyed), { ["a b"] = 1, ["end"] = 2, ok = 3, ['"] = error() --'] = 4 })
end)


t.case("numbers, booleans, lists and nested values come back as they were", function()
  for _, value in ipairs { 0, -1, 1.5, 1e300, 0.1, math.maxinteger, math.mininteger, true, false } do
    t.same(run("return { " .. literals.value(value, NONE) .. " }")[1], value)
  end
  local value = { list = { 1, { a = { true, "x" } } }, empty = {} }
  t.same(run("return " .. literals.value(value, NONE)), value)
  for _, wrong in ipairs { 0 / 0, 1 / 0, print, json.null } do t.same(literals.value(wrong, NONE), nil) end
  local deep = {}
  for _ = 1, 40 do deep = { deep } end
  t.has(select(2, literals.value(deep, NONE)), "levels")
end)


t.case("a parameter stands alone or within text, and other names are refused", function()
  local scope = { parameters = { text = "string", count = "integer", ["end"] = "string" }, results = { made = true } }
  local function of(text) return literals.value(text, scope) end
  t.same(of "${text}", "args.text")
  t.same(of "${count}", "args.count")
  t.same(of "${end}", 'args["end"]')
  t.same(of "sent ${text}!", '"sent " .. args.text .. "!"')
  t.same(of "${count}0", 'tostring(args.count) .. "0"')
  t.same(of "$${text}", '"${text}"')
  t.same(of "${made.files.2}", "made.files[2]")
  t.same(of "${made.a b}", 'made["a b"]')
  t.same(of "a ${ b", '"a ${ b"')
  for _, text in ipairs { "${txt}", "${text.more}", "${}", "${made", "${args.text}", "${text or error()}" } do
    local value, err = of(text)
    if text ~= "${made" then t.same({ value, type(err) }, { nil, "string" }, text) end
  end
  t.has(select(2, of "${txt}"), "did you mean text?")
end)


t.case("a dialog in front of which another one is answered says so", function()
  local list = written({
    { tool = "handle_dialog", arguments = { application = "notes", window = "Save As", path = "${file}", button = "Save" } },
    { tool = "handle_dialog", arguments = { window = "Question", button = "Replace" } },
    { tool = "create_input", arguments = { action = "keys", keys = "ctrl+q" } },
  }, { file = "string" })
  t.same(calls_of(list, { file = "/f" }), { { "macro.window", { application = "notes" } },
    { "dialog", "Save As", { button = "Save", path = "/f", next = "Question" } }, { "dialog", "Question", { button = "Replace" } },
    { "keys", "ctrl+q" } })
end)


t.case("calls of tools become methods of their windows", function()
  local list, count = written({
    { tool = "open_application", arguments = { application = "org.xfce.Mousepad", new = true } },
    { tool = "write_element_value", arguments = { element = "text", value = "${text}" } },
    { tool = "create_input", arguments = { action = "keys", keys = "ctrl+shift+s" } },
    { tool = "handle_dialog", arguments = { window = "Save As", path = "${file}", button = "Save" } },
    { tool = "verify", arguments = { predicates = { { window = "*", condition = "title", text = "note" } } } },
    { tool = "click_element", arguments = { element = 'button "Add"', application = "Thunar", count = 2 } },
    { tool = "select_menu_item", arguments = { path = { "File", "Quit" }, application = "org.xfce.mousepad" } },
    { tool = "select_option", arguments = { element = "combobox", option = "B", window = "Other *" } },
    { tool = "wait_for", arguments = { condition = "element_gone", element = "dialog", timeout = 5 } },
  }, { text = "string", file = "string" })
  t.same(count, 9)
  t.same(list[1], 'local mousepad = macro:open("org.xfce.Mousepad", { new = true })')
  t.same(list[2], 'mousepad:set("text", args.text)')
  t.same(calls_of(list, { text = "Hi", file = "/f" }), {
    { "macro.open", "org.xfce.Mousepad", { new = true } }, { "set", "text", "Hi" }, { "keys", "ctrl+shift+s" },
    { "dialog", "Save As", { button = "Save", path = "/f" } }, { "macro.window", { title = "*" } }, { "check", { title = "note" } },
    { "macro.window", { application = "Thunar" } }, { "click", 'button "Add"', { count = 2 } },
    { "menu", { "File", "Quit" } }, { "macro.window", { title = "Other *" } }, { "choose", "combobox", "B" },
    { "wait", { condition = "gone", element = "dialog", timeout = 5 } },
  })
end)


t.case("the steps of act are steps of their own, and other calls stay calls", function()
  local list, count = written {
    { tool = "act", arguments = { application = "Notes", steps = {
      { find = "text" }, { click = "button" }, { double_click = "listitem" }, { set = "text", value = "x" },
      { menu = "A > B" },
      { type = "y" }, { keys = "enter" }, { wait = { text = "done", timeout = 3 } }, { verify = { element = "text", value = "x" } },
      { drag = "a", to = "b" } } } },
    { tool = "read_file", arguments = { path = "/x" }, as = "file" },
    { tool = "click_element", arguments = { element = "button", button = "right", application = "Notes" } },
    { tool = "say", arguments = { text = "It is ${file.path}, ${file.list.2}" } },
  }
  t.same(count, 13)
  t.same(calls_of(list), {
    { "macro.window", { application = "Notes" } }, { "check", { element = "text" } }, { "click", "button" },
    { "click", "listitem", { count = 2 } }, { "set", "text", "x" }, { "menu", "A > B" }, { "type", "y" }, { "keys", "enter" },
    { "wait", { text = "done", timeout = 3 } }, { "check", { element = "text", value = "x" } },
    { "macro.call", "drag_element", { application = "Notes", element = "a", to = "b" } },
    { "macro.call", "read_file", { path = "/x" } },
    { "macro.call", "click_element", { application = "Notes", button = "right", element = "button" } },
    { "macro.call", "say", { text = "It is /made, y" } },
  })
end)


t.case("odd names and values in steps stay values", function()
  for _, text in ipairs(odd_texts()) do
    if text ~= "" and #text < 12 then
      local plain = escaped(text)
      local list = assert(written { { tool = "open_application", arguments = { application = plain } },
        { tool = "write_element_value", arguments = { element = plain, value = plain } },
        { tool = plain, arguments = { [text] = plain } } })
      t.same(#list, 3)
      t.same(list[1]:match "^local [%a_][%w_]* = macro:open%(\".*\"%)$" ~= nil, true, list[1])
      t.same(list[1]:find("\n", 1, true), nil)
    end
  end
end)


t.case("calls that cannot be steps are refused, by their place", function()
  local function refused(part, ...)
    local list, err = written { ... }
    t.same(list, nil)
    t.has(err, part)
  end
  refused("steps[1]: it names no application", { tool = "click_element", arguments = { element = "button" } })
  local keys = { tool = "act", arguments = { steps = { { keys = "enter" } } } }
  refused("steps[2]: arguments.steps[1]: it names no application", { tool = "say" }, keys)
  local waits = { application = "x", wait = { condition = "still" } }
  refused("a macro cannot pass wait", { tool = "open_application", arguments = waits })
  refused("steps[1]: ${name} means no parameter", { tool = "say", arguments = { text = "${name}" } })
  refused("steps[1]: ${later} means", { tool = "say", arguments = { text = "${later}" } }, { tool = "say", as = "later" })
  refused("as: \"args\" cannot be", { tool = "say", as = "args" })
  refused("as: \"end\" cannot be", { tool = "say", as = "end" })
  refused("as: \"a\" cannot be", { tool = "say", as = "a" }, { tool = "say", as = "a" })
end)


t.case("variables have names of their own", function()
  local steps = {}
  for _, name in ipairs { "Notes", "notes ", "end", "macro", "args", "tostring", "1 2 3", "日本語", "/usr/bin/x-y", "a.b.Notes",
    ("x"):rep(90) } do
    steps[#steps + 1] = { tool = "open_application", arguments = { application = name } }
  end
  local names, list = {}, assert(written(steps))
  for i, line in ipairs(list) do
    local name = line:match "^local (%S+) ="
    t.same({ literals.is_name(name), names[name] }, { true, nil }, line)
    names[name] = i
  end
end)


-- --- whole files -------------------------------------------------------------------------------------------

local STEPS = { { tool = "open_application", arguments = { application = "Notes" } },
  { tool = "write_element_value", arguments = { element = "text", value = "${text}" } } }

--- Checks that a file is Lua, without running it.
local function is_lua(text)
  local done, err = engine.run_lua("do return end " .. text, { name = "file" })
  return done ~= nil, err
end


t.case("a file has its title, description, parameters, tags and an example", function()
  local text = assert(writer.text { id = "note", display_name = "A note", description = "Write a note. It is short.",
    tags = { "a", "b" }, list = true, steps = STEPS,
    parameters = { { name = "text", description = "What." }, { name = "count", type = "integer", default = 2 } } })
  t.same(is_lua(text), true)
  for _, part in ipairs { "--- Write a note.\n", 'title       = "A note"', 'description = "Write a note. It is short."',
    '{ "text", s.string("What.") },', '{ "count", s.integer("count", { default = 2 }) },', 'tags        = { "a", "b" },',
    "list        = true,", 'want = { done = true }', 'args  = { text = "example", count = 1 }',
    "---@param args {text: string, count: integer}" } do
    t.has(text, part)
  end
end)


t.case("no text that is given ends a string or a comment", function()
  for i, text in ipairs(odd_texts()) do
    if i % 3 == 0 and text ~= "" then
      local file = assert(writer.text { id = "x", display_name = text, description = text, tags = { text },
        parameters = { { name = "text", description = text, default = text } }, steps = STEPS })
      t.same({ is_lua(file) }, { true }, file)
      t.same(select(2, file:gsub("\nreturn macro_tool {\n", "")), 1)
    end
  end
end)


t.case("parameters have types, and names of their own", function()
  local function refused(part, parameters)
    local text, err, code = writer.text { id = "x", display_name = "x", parameters = parameters, steps = STEPS }
    t.same({ text, code }, { nil, "INVALID_ARGUMENT" })
    t.has(err, part)
  end
  refused('parameters[2]: the name "text" is taken', { { name = "text" }, { name = "text" } })
  refused('"resume_from" is taken', { { name = "resume_from" } })
  refused("the default of text is not of the type string", { { name = "text", default = 1 } })
  refused("the default of n is not of the type integer", { { name = "n", type = "integer", default = 1.5 } })
  refused("${text} means no parameter", {})
end)


t.case("rows, places, unseen values and the last name of a path", function()
  local list = assert(lines.of({
    { rows = { file = "${file}", columns = { "name" } }, steps = {
      { tool = "write_element_value", arguments = { application = "Notes", element = "entry", value = "${row.name}!" }, unseen = true } } },
    { tool = "click_point", arguments = { application = "Notes", x = 3, y = 4, button = "right" } },
    { tool = "wait_for", arguments = { application = "Notes", condition = "title", text = "${file.base} - x" } },
  }, { file = "string" }))
  t.same(list, { 'local notes = macro:window { application = "Notes" }', 'for row in macro:rows(args.file, { "name" }) do',
    '  notes:set("entry", row.name .. "!", { unseen = true })', "end", 'notes:point(3, 4, { button = "right" })',
    'notes:wait { title = macro.base(args.file) .. " - x" }' })
  local _, err = lines.of({ { tool = "act_on", arguments = { text = "${row.name}" } } }, {})
  t.same(err ~= nil and err:find("means no parameter", 1, true) ~= nil, true)
  local text = assert(writer.text { id = "a", display_name = "A", steps = {}, parameters = { { name = "file", about = "path" } } })
  t.same(text:find('about       = { file = "path" }', 1, true) ~= nil, true)
end)


t.done()
