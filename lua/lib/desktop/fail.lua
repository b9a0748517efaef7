--- Failures of the desktop as the tools report them: one code in capitals for each, from one table.

local M = {}


--- The codes that a client reads, by the codes of sys.*. A code that is not here is written in capitals.
M.codes = {
  app_ambiguous      = "AMBIGUOUS_APP_IDENTIFIER",
  app_not_found      = "APP_NOT_FOUND",
  bad_argument       = "INVALID_ARGUMENT",
  bad_path           = "INVALID_ARGUMENT",
  bad_point          = "INVALID_ARGUMENT",
  bad_text           = "INVALID_ARGUMENT",
  display_not_found  = "DISPLAY_NOT_FOUND",
  element_gone       = "ELEMENT_NOT_FOUND",
  moved              = "FOCUS_LOST",
  not_an_app         = "APP_NOT_FOUND",
  outside            = "INVALID_ARGUMENT",
  permission_denied_access = "PERMISSION_DENIED_ACCESSIBILITY",
  permission_denied_screen = "PERMISSION_DENIED_SCREEN_RECORDING",
  stopped            = "INPUT_STOPPED",
  unknown_key        = "INVALID_ARGUMENT",
  window_ambiguous   = "AMBIGUOUS_WINDOW_IDENTIFIER",
  window_not_found   = "WINDOW_NOT_FOUND",
}


--- The cases in which each code is returned, for a tool's `codes`.
local MEANINGS = {
  AMBIGUOUS_APP_IDENTIFIER = "Several applications match; the message lists them.",
  AMBIGUOUS_WINDOW_IDENTIFIER = "Several windows match; the message lists them.",
  APP_HUNG = "The application does not respond.",
  APP_NOT_FOUND = "No application matches, or it has exited.",
  CLIPBOARD_NO_ANSWER = "The application that owns the clipboard does not respond.",
  CLIPBOARD_REFUSED = "The application that owns the clipboard did not deliver what it offered, or another one took it over.",
  DESKTOP_HUNG = "The display server does not respond, and several calls are stuck.",
  DIALOG_NOT_FOUND = "The application shows no dialog; the message lists its windows.",
  DIALOG_IN_FRONT = "A modal dialog holds the application. Close it first with handle_dialog.",
  DISPLAY_LOST = "The connection to the display server was lost; the next call reconnects.",
  DISPLAY_NOT_FOUND = "No display matches; the message lists the displays.",
  DROP_REFUSED = "The target answered that it takes no files there.",
  ELEMENT_AMBIGUOUS = "Several elements match; the message lists them.",
  ELEMENT_CHANGED = "The element is called otherwise than when it was listed; the message says how.",
  ELEMENT_DISABLED = "The element takes no input now.",
  ELEMENT_NOT_FOUND = "No element matches, or it is gone; the message lists the nearest.",
  ELEMENT_REFUSED = "The application refused the action.",
  ENTRY_NOT_FOUND = "The history has no such entry; the message says how many it has.",
  FOCUS_LOST = "Another window has the keyboard focus, or got it while the text was typed; the message says which, and how much "
    .. "was typed.",
  IMAGE_NOT_FOUND = "The image_id is not one of the last 64 screenshots of this run.",
  HELD = "A question to the user is open on this display, and was not answered in time. Nothing was done.",
  INPUT_STOPPED = "The user stopped input with Ctrl+Alt+Esc or `perigee stop`; the message says when and how to go on.",
  INTERRUPTED = "The user holds Ctrl, Alt or Super, which would turn the text into keyboard shortcuts.",
  INVALID_ARGUMENT = "The arguments contradict each other or are not valid on this desktop; the message says which.",
  LAUNCH_FAILED = "The application could not be started; the message says why.",
  NOT_BASE64 = "image_base64 is not valid base64.",
  NOT_FOUND = "A file does not exist; the message says which.",
  NOT_GRANTED = "The file is outside the granted directories (--grant).",
  NOT_SUPPORTED = "The window manager or the system does not support this; the message names what is missing.",
  NOT_IN_VIEW = "The element has no place in its window to click at.",
  NEEDS_FRONT = "It cannot be done in the background; the message says why. Call again without background.",
  NO_ACCESSIBILITY = "The system has no accessibility service; the message says what to do.",
  NO_DISPLAY = "No display server is available; the message says what to do.",
  NO_DROP_TARGET = "No window at that place takes drops.",
  NO_FOCUS = "No window has keyboard focus, so the text would be lost. Call focus_window first.",
  NO_TREE = "The application tells nothing of its interface; the message says how it would.",
  OBSERVATION_NOT_FOUND = "The observation does not exist, or no longer does.",
  PASTE_INSTEAD = "With method type: the text cannot be typed exactly here. Use method auto.",
  PASTE_NOT_TAKEN = "The application has processed the key combination and did not read the text: nothing was inserted.",
  PASTE_UNKNOWN = "The application has not read the text yet and may still insert it, was too slow, or another one took the "
    .. "clipboard. Take a screenshot before you try again, or the text may be there twice.",
  PERMISSION_DENIED_ACCESSIBILITY = "On a Mac: the named program is not allowed to control other applications; the "
    .. "message says where to allow it.",
  PICTURE_OUTDATED = "The window has changed size or is hidden since the screenshot. Take another screenshot.",
  RESERVED_KEY = "Ctrl+Alt+Esc is reserved for the user.",
  TIMEOUT = "The application or the display server did not respond in time. Whether an action was done is unknown then: "
    .. "look before you try again.",
  TOO_MANY_OBSERVATIONS = "As many observations as there may be are running.",
  TOO_LARGE = "The content is larger than the limit.",
  WAIT_TIMEOUT = "It was not seen in time; the message says what is there instead.",
  WINDOW_COVERED = "Another window or popup covers that pixel. Call focus_window, or close the popup.",
  WINDOW_MINIMIZED = "The window of the screenshot is minimized. Call restore_window first.",
  WINDOW_NOT_FOUND = "No window matches, or it was closed.",
}


--- The codes of a tool that acts on a desktop: those of every such tool, and these.
---@param ... string
---@return table<string, string>
function M.acting(...) return M.meanings("HELD", "INPUT_STOPPED", ...) end


--- The codes of a tool: those of every tool that works on a desktop, and these.
---@param ... string
---@return table<string, string>
function M.meanings(...)
  local codes = {}
  for _, code in ipairs { "DESKTOP_HUNG", "DISPLAY_LOST", "NO_DISPLAY", "TIMEOUT", ... } do codes[code] = MEANINGS[code] end
  return codes
end


--- The message, with advice about the client that started the server if there is any.
---@param err? string
---@param code? string  a code of sys.*
---@return string?
function M.advised(err, code)
  if code ~= "no_display" or not (err and err:find "DISPLAY is not set") then return err end
  local advice = require("clients.list").display_advice(require("sys.engine").launcher())
  return advice and err .. ". " .. advice or err
end


--- The code that a client reads for a code of sys.*.
---@param code string
---@return string
function M.code(code) return M.codes[code] or code:upper() end


--- The result of a tool that failed: `return fail.with(err, code)`.
---@param err string?  the error of sys.*
---@param code string?
---@return nil
---@return string err
---@return string code
function M.with(err, code)
  code = code or "failed"
  err = M.advised(err, code)
  return nil, err or "the desktop gave no reason", M.code(code)
end


return M
