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


--- When each is given, for a tool's `codes`.
local MEANINGS = {
  AMBIGUOUS_APP_IDENTIFIER = "Several applications are called so; the text lists them.",
  AMBIGUOUS_WINDOW_IDENTIFIER = "Several windows are called so; the text lists them.",
  APP_NOT_FOUND = "No application is called so, or it has ended.",
  CLIPBOARD_NO_ANSWER = "The application that owns the clipboard hangs.",
  CLIPBOARD_REFUSED = "The application that owns the clipboard does not hand over what it offered.",
  DESKTOP_HUNG = "Calls hang already: the display server does not answer.",
  DISPLAY_LOST = "The display server went away meanwhile; the next call looks for it again.",
  DISPLAY_NOT_FOUND = "No display has this name.",
  ENTRY_NOT_FOUND = "The history has no such entry; the text tells how many it has.",
  IMAGE_NOT_FOUND = "The image_id is none of the last 64 pictures of this run.",
  INPUT_STOPPED = "The user has stopped input: Ctrl+Alt+Esc, or `perigee stop`.",
  INTERRUPTED = "Somebody holds Ctrl, Alt or Super, which would make shortcuts of the text.",
  INVALID_ARGUMENT = "The arguments do not fit together, or mean nothing on this desktop; the text says which.",
  LAUNCH_FAILED = "It could not be started; the text says why.",
  NOT_BASE64 = "image_base64 is none.",
  NOT_GRANTED = "The picture lies in no folder that was granted (--grant).",
  NOT_SUPPORTED = "The window manager or the system cannot do this; the text names what is missing.",
  NO_DISPLAY = "No display server can be reached; the text says what to do.",
  NO_FOCUS = "No window has the keyboard, so the text would be lost.",
  PASTE_INSTEAD = "With method type: the text cannot be typed exactly here.",
  PASTE_NOT_TAKEN = "Nobody read what was to be pasted.",
  PERMISSION_DENIED_ACCESSIBILITY = "On a Mac: the program that is named may not control others; the text says where to "
    .. "allow it.",
  PICTURE_OUTDATED = "The window of the picture has another size now, or is not shown: take another.",
  RESERVED_KEY = "Ctrl+Alt+Esc is the user's own.",
  TIMEOUT = "The application or the display did not answer in time.",
  TOO_LARGE = "There is more of it than is handed over.",
  WINDOW_COVERED = "Another window lies over that pixel's place: focus_window first.",
  WINDOW_MINIMIZED = "The window of the picture is minimized: restore_window first.",
  WINDOW_NOT_FOUND = "No window has this name, or it was closed.",
}


--- The codes of a tool: those of every tool that works on a desktop, and these.
---@param ... string
---@return table<string, string>
function M.told(...)
  local codes = {}
  for _, code in ipairs { "DESKTOP_HUNG", "DISPLAY_LOST", "NO_DISPLAY", "TIMEOUT", ... } do codes[code] = MEANINGS[code] end
  return codes
end


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
