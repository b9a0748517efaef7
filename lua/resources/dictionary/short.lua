--- An application's commands with their parameters, and its classes with their properties.

local time  = require "sys.time"
local views = require "dictionary.views"


---@type Resource
return {
  uriTemplate = "osa://apps/{id}/dictionary",
  title       = "Commands and classes",
  description = "An application's commands with their parameters, and its classes with their properties.",
  mimeType    = "application/json",
  from        = "file",

  read = function(_, params)
    return views.short(params.id)
  end,

  watch = function(_, params, call) views.watch(params.id, time.sleep, function() call:updated() end) end,

  complete = { id = views.complete },

  examples = {
    { "reads that of an application",
      uri   = "osa://apps/com.example.Notes/dictionary",
      given = { ["dictionary.views.short"] = '{"of":"Notes"}' },
      want  = { of = "Notes" } },
    { "names the nearest",
      uri   = "osa://apps/com.example.Note/dictionary",
      given = { ["dictionary.library.find"] = { n = 3, false, "No application; did you mean com.example.Notes?", "not_found" } },
      err   = "did you mean com.example.Notes?", code = "not_found" },
  },
}
