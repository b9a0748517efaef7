--- Failures of the desktop in the words of the tools: one code in capitals for each, from one table.

local M = {}


--- What sys.* calls it, and what a client reads. A code that is not here is written in capitals as it is.
M.codes = {
  app_ambiguous      = "AMBIGUOUS_APP_IDENTIFIER",
  app_not_found      = "APP_NOT_FOUND",
  bad_argument       = "INVALID_ARGUMENT",
  bad_path           = "INVALID_ARGUMENT",
  bad_point          = "INVALID_ARGUMENT",
  bad_text           = "INVALID_ARGUMENT",
  display_not_found  = "DISPLAY_NOT_FOUND",
  outside            = "INVALID_ARGUMENT",
  permission_denied_access = "PERMISSION_DENIED_ACCESSIBILITY",
  permission_denied_screen = "PERMISSION_DENIED_SCREEN_RECORDING",
  stopped            = "INPUT_STOPPED",
  unknown_key        = "INVALID_ARGUMENT",
  window_ambiguous   = "AMBIGUOUS_WINDOW_IDENTIFIER",
  window_not_found   = "WINDOW_NOT_FOUND",
}


--- What a tool returns when it failed: `return fail.with(err, code)`.
---@param err string?  as sys.* gave it
---@param code string?
---@return nil
---@return string err
---@return string code
function M.with(err, code)
  code = code or "failed"
  return nil, err or "the desktop said nothing", M.codes[code] or code:upper()
end


return M
