--- The commands of one application.

local s     = require "schema"
local views = require "dictionary.views"


---@param args {appBundleId: string, format: "summary"|"full", page?: integer}
---@param call Call
local function run(args, call)
  local text, err, code
  if args.format == "full" then
    text, err, code = views.full(args.appBundleId, args.page)
  else
    text, err, code = views.summary(args.appBundleId)
  end
  if not text then return nil, err, code end
  return call:result { content = { { type = "text", text = text } } }
end


---@type Tool
return {
  title        = "Application capabilities",
  description  = "Get what an application can do. summary: every command with its arguments, and examples, at most 2,000 tokens. "
              .. "full: its complete dictionary with classes, properties and codes, in pages. Call search_commands if you know "
              .. "what to do but not where.",
  inputSchema  = s.object {
    { "appBundleId", s.string("Its bundle ID, ID or name, as discover_apps lists it.", { minLength = 1, maxLength = 300 }) },
    { "format", s.enum({ "summary", "full" }, "How much.", { default = "summary" }) },
    { "page", s.integer("The page of a full dictionary.", { optional = true, minimum = 1, maximum = 10000 }) },
  },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  from        = "file",
  listed      = false,
  codes       = { not_found = "No such application describes itself, or its dictionary has no such page." },

  about = { appBundleId = "application" },
  run = run,

  examples = {
    { "is what the resource has",
      given = { ["dictionary.views.summary"] = '{"app":"Finder","categories":{},"examples":[]}' },
      args  = { appBundleId = "com.apple.finder" },
      want  = '{"app":"Finder","categories":{},"examples":[]}' },

    { "reads a page of the complete dictionary",
      given = { ["dictionary.views.full"] = '{"suites":[],"version":"1","page":2,"pages":2}' },
      args  = { appBundleId = "com.adobe.illustrator", format = "full", page = 2 },
      has   = { '"page":2' } },
  },
}
