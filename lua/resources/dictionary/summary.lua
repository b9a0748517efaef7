--- Every command of an application with its arguments, by category, and examples: at most 2,000 tokens.

local time  = require "sys.time"
local views = require "dictionary.views"


---@type Resource
return {
  uriTemplate = "osa://apps/{id}/dictionary/summary",
  title       = "Dictionary summary",
  description = "Every command of an application with its arguments, by category, and examples: at most 2,000 tokens.",
  mimeType    = "application/json",
  from        = "file",

  read = function(_, params)
    return views.summary(params.id)
  end,

  watch = function(_, params, call) views.watch(params.id, time.sleep, function() call:updated() end) end,

  complete = { id = views.complete },

  examples = {
    { "reads that of an application",
      uri   = "osa://apps/com.example.Notes/dictionary/summary",
      given = { ["dictionary.views.summary"] = '{"of":"Notes"}' },
      want  = { of = "Notes" } },
    { "names the nearest",
      uri   = "osa://apps/com.example.Note/dictionary/summary",
      given = { ["dictionary.library.find"] = { n = 3, false, "No application; did you mean com.example.Notes?", "not_found" } },
      err   = "did you mean com.example.Notes?", code = "not_found" },
  },
}
