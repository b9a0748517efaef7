--- Stand-in for sys.engine: rules, prompts and providers read from lua/ anew at every call, as after a reload.
-- `override` holds tables that take the place of files.
local rig = require "rig"

local engine = { override = { rule = {}, provider = {}, prompt = {} } }

local function get(kind, folder, name)
  local value = engine.override[kind][name]
  if value then return value end
  return rig.file(("lua/%s/%s.lua"):format(folder, name))
end

function engine.rule(name)
  local rule = get("rule", "prompts", name)
  if rule and rule.parse then return rule end
  return nil, ("no rule is called %q"):format(name)
end

function engine.provider(name)
  local provider = get("provider", "providers", name)
  if provider then return provider end
  return nil, ("no provider is called %q"):format(name)
end

function engine.prompts()
  local list = {}
  for _, name in ipairs { "desktop_agent", "keynote_agent" } do
    local prompt = get("prompt", "prompts", name)
    list[#list + 1] = { name = name, description = prompt.description, arguments = prompt.arguments }
  end
  for name, prompt in pairs(engine.override.prompt) do
    list[#list + 1] = { name = name, description = prompt.description, arguments = prompt.arguments or {} }
  end
  return list
end

function engine.prompt(name, arguments)
  local prompt = get("prompt", "prompts", name)
  if not prompt or not prompt.render then return nil, ("no prompt is called %q"):format(name), "not_found" end
  local rendered = prompt.render(arguments or {})
  if type(rendered) == "string" then
    rendered = { { role = "user", content = { type = "text", text = rendered } } }
  end
  return { description = prompt.description, messages = rendered, rules = prompt.rules }
end

function engine.status() return { version = "0.1.0" } end

return engine
