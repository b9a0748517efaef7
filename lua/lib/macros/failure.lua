--- The failures of macros: their codes, and the error that ends a run.

local M = {}

--- The codes of macros, and when each is returned.
M.CODES = {
  MACRO_CHANGED = "The file was changed since the run stopped, so its steps may have other numbers. Pass a step's number.",
  MACRO_CHECK_FAILED = "A check does not hold; the message says what is there.",
  MACRO_COUNT_CHANGED = "A selector with nth matches another number of elements than when it was recorded.",
  MACRO_DIALOG_IN_FRONT = "Another dialog is in front of the window of a step. Answer it with handle_dialog.",
  MACRO_DISABLED = "The element takes no input now.",
  MACRO_EFFECT_MISSING = "A step was sent, and its effect was not seen. It may have happened all the same: look.",
  MACRO_NO_MATCH = "No element of the window matches; the message lists the nearest.",
  MACRO_NO_PART = "The text that a step read lacks the part that a later step needs.",
  MACRO_NO_STATE = "There is no interrupted run to resume.",
  MACRO_NO_WINDOW = "No window matches; the message lists those that are there.",
  MACRO_OTHER_APPLICATION = "The window is one of another application than the recorded one.",
  MACRO_OTHER_ELEMENT = "The element has another name, label or row than the recorded one.",
  MACRO_OTHER_LOCALE = "The language of the desktop is not the one in which the macro was recorded.",
  MACRO_OTHER_PICTURE = "What is at a recorded point looks otherwise than when it was recorded, or cannot be compared.",
  MACRO_OTHER_ROLE = "The element has another role than the recorded one.",
  MACRO_ROWS = "The file of rows cannot be read, or lacks a column.",
  MACRO_SEVERAL_MATCH = "Several elements of the window match; the message lists them.",
  MACRO_SEVERAL_WINDOWS = "Several windows match; the message lists them.",
  MACRO_UNCONFIRMED = "A step was sent and not confirmed when the run stopped. Look, then repeat it or go on after it.",
  MACRO_WAIT_TIMEOUT = "What a step waits for did not come in time.",
  MACRO_WINDOW_GONE = "The window of a step was closed.",
}

--- The codes of tools that a macro calls, where macros have one of their own.
local OF_TOOLS = {
  AMBIGUOUS_WINDOW_IDENTIFIER = "MACRO_SEVERAL_WINDOWS", DIALOG_IN_FRONT = "MACRO_DIALOG_IN_FRONT",
  ELEMENT_AMBIGUOUS = "MACRO_SEVERAL_MATCH", ELEMENT_DISABLED = "MACRO_DISABLED", ELEMENT_NOT_FOUND = "MACRO_NO_MATCH",
  WAIT_TIMEOUT = "MACRO_WAIT_TIMEOUT", WINDOW_NOT_FOUND = "MACRO_WINDOW_GONE",
}

-- Codes that say that nothing was sent.
local UNSENT = { denied = true, not_approved = true, invalid_arguments = true, unknown_tool = true, too_deep = true,
  AMBIGUOUS_WINDOW_IDENTIFIER = true, APP_NOT_FOUND = true, AMBIGUOUS_APP_IDENTIFIER = true, DIALOG_IN_FRONT = true,
  DIALOG_NOT_FOUND = true, ELEMENT_AMBIGUOUS = true, ELEMENT_CHANGED = true, ELEMENT_DISABLED = true, ELEMENT_NOT_FOUND = true,
  HELD = true, INVALID_ARGUMENT = true, NEEDS_FRONT = true, NOT_IN_VIEW = true, WINDOW_COVERED = true, WINDOW_NOT_FOUND = true }


--- The code of a macro for that of a tool.
---@param code string
---@return string
function M.code(code) return OF_TOOLS[code] or code end


--- True if a tool that fails with this code has done nothing.
---@param code string
---@return boolean
function M.is_unsent(code) return UNSENT[code] == true end


M.UNTRIED = "untried"   -- of a step of a dry run that cannot be tried

local Failure = {}
Failure.__index = Failure
Failure.__tostring = function(self) return self.message end

---@class macros.Failure
---@field message string
---@field code string
---@field step? integer
---@field row? integer

--- Ends the run of a macro.
---@param facts macros.Failure
function M.raise(facts) error(setmetatable(facts, Failure), 0) end


--- The failure that was raised; nil for any other error.
---@param err any
---@return macros.Failure?
function M.of(err)
  if type(err) == "table" and rawget(err, "message") and rawget(err, "code") then return err end
end


return M
