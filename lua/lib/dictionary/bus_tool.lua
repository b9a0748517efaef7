--- Writes a tool file for a command over D-Bus.

local kinds     = require "dictionary.kinds"
local tool_text = require "dictionary.tool_text"

local M = {}

local key, line, quoted, sentence = tool_text.key, tool_text.line, tool_text.quoted, tool_text.sentence

-- REQUIRE keeps these lines from being taken for requires of this file.
local PAGE = ([==[
--- %s: %s.

local s     = REQUIRE "schema"
local tools = REQUIRE "tools"


---@type Tool
return {
  title       = %s,
  description = %s,
  inputSchema = s.object {
%s
  },
  annotations = { readOnlyHint = false, destructiveHint = %s, idempotentHint = false, openWorldHint = false },
  about       = { { %s }%s },

  run = function(args)
    return tools.call_dbus { app = %s, method = %s%s }
  end,

  examples = {
    { "says what was seen of its effect",
      given = { ["tools.call_dbus"] = { effect = "seen", seen = { "the title changed" } } },
      args  = { %s },
      want  = { effect = "seen" } },
    { "passes on that it is disabled",
      given = { ["tools.call_dbus"] = { n = 3, false, "The action is disabled now", "DISABLED" } },
      args  = { %s },
      err   = "disabled", code = "DISABLED" },
  },
}
]==]):gsub("REQUIRE", "require")

local SCHEMAS = { string = "string", ["object path"] = "string", signature = "string", boolean = "boolean", integer = "integer",
                  number = "number", byte = "integer" }
local SAMPLES = { string = '"example"', boolean = "true", integer = "1", number = "1.5" }


--- The kind of thing that an argument names, by the parts of its name, for the policy.
local function named_by(name)
  for part in name:gmatch "%a+" do
    if part:find "^ur[il]s?$" or part:find "^paths?$" or part:find "^file" then return "path" end
    if part:find "^folders?$" or part:find "^director" then return "folder" end
  end
  return "nothing"
end


--- A line of the schema for an argument of a method: lists and other values are checked by call_dbus.
local function bus_line(name, parameter)
  local type = parameter.types[1] or { name = "any" }
  local kind = not type.list and SCHEMAS[type.name]
  local about = quoted(sentence(parameter.description, ("'%s': %s"):format(parameter.name, kinds.text(parameter.types))))
  return ("    { %q, s.%s(%s) },"):format(name, kind or "any", about), kind and SAMPLES[kind] or "{}"
end


--- The name of a command in full, as call_dbus takes it: "win.save", "org.mpris.MediaPlayer2.Player.Play".
---@param command applescript.DeclaredCommand
---@return string
function M.label(command)
  local call = command.call
  local prefix = call.kind == "action" and call.of or call.kind == "desktop" and "desktop" or call.interface
  return prefix .. "." .. command.name
end


--- The parts of a tool that a command's arguments make: lines of the schema, what is passed, samples, and of `about`.
local function parts_of(command)
  local lines, values, samples, about, taken = {}, {}, {}, {}, {}
  for i, parameter in ipairs(command.parameters) do
    local name = tool_text.slug(parameter.name or "value")
    if taken[name] then name = name .. "_" .. i end
    taken[name] = true
    local value
    lines[i], value = bus_line(name, parameter)
    values[i] = "args" .. (key(name) == name and "." .. name or key(name))
    samples[i] = ("%s = %s"):format(key(name), value)
    about[i] = (", %s = %q"):format(key(name), named_by(name))
  end
  local passed = #values > 0 and (", args = { %s }"):format(table.concat(values, ", ")) or ""
  local call = command.call
  if #values == 0 and call.kind == "action" and type(call.state) == "boolean" then
    lines[1] = '    { "state", s.boolean("The state to set. Without it each call toggles it.", { optional = true }) },'
    passed = ", state = args.state"
  end
  return lines, passed, table.concat(samples, ", "), table.concat(about)
end


---@param model dictionary.Model
---@param command applescript.DeclaredCommand
---@return string
function M.text(model, command)
  local label = M.label(command)
  local lines, passed, given, about = parts_of(command)
  return PAGE:format(line(model.name), label, quoted(model.name .. ": " .. command.name),
    quoted(sentence(command.description, ("Call %s of %s over D-Bus"):format(label, model.name))), table.concat(lines, "\n"),
    tostring(tool_text.destroys(command.name)), quoted(model.id), about, quoted(model.id), quoted(label), passed, given, given)
end


return M
