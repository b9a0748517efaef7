local s = require "schema"

return {
  title       = "Input: folders",
  description = "Ask for the client's folders.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(_, call)
    local roots, why, code = call:roots { key = "client_roots" }
    if not roots then return nil, why, code end
    local lines = {}
    for i, root in ipairs(roots) do lines[i] = root.uri end
    return ("%d roots: %s"):format(#roots, table.concat(lines, ", "))
  end,
}
