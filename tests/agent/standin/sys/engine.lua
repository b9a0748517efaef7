--- Stand-in for sys.engine: rules, prompts and providers read from lua/ anew at every call, as after a reload.
-- `override` holds tables that take the place of files.
local rig = require "rig"

local engine = { override = { rule = {}, provider = {}, prompt = {} } }

local FOLDERS = { rule = "prompts", prompt = "prompts", provider = "providers" }

function engine.file(kind, name)
  return engine.override[kind][name] or rig.file(("lua/%s/%s.lua"):format(FOLDERS[kind], name))
end

function engine.rule(name)
  local rule = engine.file("rule", name)
  if rule and rule.parse then return rule end
  return nil, ("no rule is called %q"):format(name)
end

function engine.provider(name)
  local provider = engine.file("provider", name)
  if provider then return provider end
  return nil, ("no provider is called %q"):format(name)
end

function engine.prompts()
  local list = {}
  for _, name in ipairs { "desktop_agent", "keynote_agent" } do
    local prompt = engine.file("prompt", name)
    list[#list + 1] = { name = name, description = prompt.description, arguments = prompt.arguments }
  end
  for name, prompt in pairs(engine.override.prompt) do
    list[#list + 1] = { name = name, description = prompt.description, arguments = prompt.arguments or {} }
  end
  return list
end

function engine.prompt(name, arguments)
  local prompt = engine.file("prompt", name)
  if not prompt or not prompt.render then return nil, ("no prompt is called %q"):format(name), "not_found" end
  return prompt.render(arguments or {})
end

function engine.status() return { version = "0.1.0" } end

return engine
