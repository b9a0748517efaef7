--- Selects the presentation program that the keynote tools control: Keynote on a Mac, LibreOffice Impress elsewhere.
--
-- A driver is a table of functions, each returning a table, or nil, message, code:
--   open(options)        {mode: "reuse_or_create"|"always_new"|"reuse", theme: string} -> {document, width, height, warnings}
--   slide_size(document) -> {width, height}
--   draw(document, box)  {x, y, width, height} -> {handle, x, y, width, height, warnings}
--   write(document, handle, text) -> {characters, warnings}
--   export(document, path) -> {path, saved?, warnings}
-- Lengths are points from the slide's top left corner. `handle` identifies the rectangle in later calls.

local env = require "sys.env"

local M = {}


--- KEYNOTE_DRIVER ("keynote" or "impress") overrides the choice by platform.
---@return table? driver
---@return string? err
---@return string? code
function M.current()
  local wanted = env.get("KEYNOTE_DRIVER", env.platform == "macos" and "keynote" or "impress")
  if wanted == "keynote" then return require "keynote.mac" end
  if wanted == "impress" then return require "keynote.impress" end
  return nil, ("KEYNOTE_DRIVER is %q. Set it to \"keynote\" or \"impress\"."):format(wanted), "bad_setting"
end


return M
