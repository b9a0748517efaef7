--- All that an application's dictionary declares, suite by suite; a large one in pages.

local time  = require "sys.time"
local views = require "dictionary.views"


---@type Resource
return {
  uriTemplate = "osa://apps/{id}/dictionary/full{?page}",
  title       = "Complete dictionary",
  description = "All that an application's dictionary declares, suite by suite; a large one in pages.",
  mimeType    = "application/json",
  from        = "file",

  read = function(_, params)
    local page = params.page and math.tointeger(tonumber(params.page))
    if params.page and not (page and page > 0) then
      return nil, ("%s is not the number of a page: the first one is 1."):format(params.page), "not_found"
    end
    return views.full(params.id, page)
  end,

  watch = function(_, params, call) views.watch(params.id, time.sleep, function() call:updated() end) end,

  complete = { id = views.complete },

  examples = {
    { "reads that of an application",
      uri   = "osa://apps/com.example.Notes/dictionary/full",
      given = { ["dictionary.views.full"] = '{"of":"Notes"}' },
      want  = { of = "Notes" } },
    { "names the nearest",
      uri   = "osa://apps/com.example.Note/dictionary/full",
      given = { ["dictionary.library.find"] = { n = 3, false, "No application; did you mean com.example.Notes?", "not_found" } },
      err   = "did you mean com.example.Notes?", code = "not_found" },
  },
}
