local json = require "sys.json"

return {
  uriTemplate = "test://template/{id}/data",
  name        = "Template Resource",
  description = "One text for each id.",
  mimeType    = "application/json",

  read = function(_, params)
    return json.encode(json.object({
      id = params.id, templateTest = true, data = "Data for ID: " .. params.id,
    }, { "id", "templateTest", "data" }))
  end,

  complete = { id = { "1", "12", "123", "2" } },

  examples = {
    { "has the id of its URI",
      uri  = "test://template/123/data",
      want = { id = "123", templateTest = true, data = "Data for ID: 123" } },
  },
}
