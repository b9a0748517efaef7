--- A file that Python code of a client wrote.

local files = require "python.files"


---@type Resource
return {
  uriTemplate = "perigee://python/files/{number}",
  title       = "File of Python code",
  description = "A file that the code of execute_python_code wrote into its directory. Its result links to it. The newest 64 are "
             .. "kept.",
  from        = "file",

  read = function(_, params, call)
    local file, err = files.find(params.number)
    if not file then return nil, err, "not_found" end
    return call:contents { { mimeType = file.type, blob = file.bytes } }
  end,

  examples = {
    { "gives the bytes", uri = "perigee://python/files/3",
      given = { ["python.files.find"] = { number = 3, name = "a.txt", type = "text/plain", bytes = "one" } },
      has = { "one" } },
    { "says how to get it again", uri = "perigee://python/files/9", err = "Run the code again.", code = "not_found" },
  },
}
