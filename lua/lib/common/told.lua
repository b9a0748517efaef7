--- The parts that the common tools share: parameters, results, error codes.

local fail    = require "desktop.fail"
local json    = require "sys.json"
local pages   = require "desktop.pages"
local quoting = require "desktop.quoting"
local s       = require "schema"

local M = {}


M.folder = { "folder", s.string("Path of the folder.", { minLength = 1, maxLength = 4096 }) }
M.target = { "target", s.string("Path of the file or folder.", { minLength = 1, maxLength = 4096 }) }
M.to = { "to", s.string("Path of the folder that it goes into.", { minLength = 1, maxLength = 4096 }) }

M.player = { "player", s.string("Name of the player, as the result has it. Default: the one that plays.",
  { optional = true, minLength = 1, maxLength = 255 }) }
M.state = { "state", s.enum({ "playing", "paused", "stopped", "unknown" }, "State of the player now.") }

M.done_schema = s.object {
  { "from", s.string "Absolute path where it was." },
  { "path", s.string "Absolute path where it is now." },
  { "left_out", s.integer("Links and special files in it that were not copied.", { optional = true }) },
}


-- --- error codes -----------------------------------------------------------------------------------

local MEANINGS = {
  APP_NOT_RUNNING = "The application does not run; the message says how to start it.",
  BAD_ANSWER = "On a Mac: the application's answer cannot be read.",
  BUSY = "Too many notifications wait to be shown.",
  CANNOT_NOW = "The player says that it cannot do it now; the message says by which property. Nothing was sent.",
  EXISTS = "The folder has an item of that name already.",
  FAILED = "The other program refused; the message has its error.",
  INTO_ITSELF = "The folder is in the one that is to be put into it.",
  IS_LINK = "The path is a link; the message says where it leads.",
  NOT_ALLOWED = "On a Mac: the user does not allow notifications; the message says where to allow them.",
  NOT_A_FOLDER = "The path is that of a file.",
  NOT_CLOSED = "The tab is still there: its page may ask whether to leave it.",
  NOT_SEEN = "What was done was not seen afterwards; the message says where to look.",
  NO_BUS = "There is no D-Bus of a session here.",
  NO_HANDLER = "The desktop has no application for it.",
  NO_NOTIFICATIONS = "No program shows notifications here; the message says what to start.",
  NO_TAB = "The browser tells of no tabs.",
  NO_TRASH = "The program that moves files to the trash is not installed.",
  NO_URL = "The browser does not say which URL it shows.",
  NO_WINDOW = "The browser has no window.",
  OTHER_DISK = "A folder cannot be moved to another disk.",
  OTHER_PAGE = "The current tab shows another URL than the given one.",
  PERMISSION_DENIED_AUTOMATION = "On a Mac: Perigee may not control the application; the message says where to allow it.",
  TRASH_FAILED = "The trash did not take it; the message says why.",
}


--- The codes of a tool: those of every common tool, and these.
---@param ... string
---@return table<string, string>
function M.codes(...)
  local codes = fail.meanings("NOT_FOUND", "NOT_GRANTED", ...)
  for _, code in ipairs { "BAD_ANSWER", "PERMISSION_DENIED_AUTOMATION", ... } do codes[code] = codes[code] or MEANINGS[code] end
  return codes
end


-- --- results ---------------------------------------------------------------------------------------

--- A result of one line, and a note if there is one.
---@param call Call
---@param text string
---@param facts table
---@param note? string
function M.told(call, text, facts, note)
  if note then text = text .. "\nNote: " .. note end
  return call:result { content = { { type = "text", text = text } }, structuredContent = facts }
end


--- The schema of the items of a folder, with these members.
---@param members table[]
---@return table
function M.items_schema(members)
  return s.object {
    { "folder", s.string "Absolute path of the folder." },
    { "items", s.array(s.object(members), "By name.") },
    table.unpack(pages.results()),
  }
end


--- The items of a folder as a result, a page of them.
---@param call Call
---@param folder string
---@param items common.Found[]
---@param args {page_size?: integer, page_token?: string}
---@param facts fun(item: common.Found): table
function M.items(call, folder, items, args, facts)
  table.sort(items, function(a, b) return a.name < b.name end)
  local page, token, code = pages.cut(items, args)
  if not page then return fail.with(token, code) end
  local lines = { ("%d item%s in %s%s"):format(#items, #items == 1 and "" or "s", folder, #items == 0 and "." or ":") }
  local list = json.array {}
  for i, item in ipairs(page) do
    list[i] = facts(item)
    lines[i + 1] = quoting.plain(item.name) .. (item.kind == "folder" and "/" or "")
  end
  return call:result {
    content = { { type = "text", text = pages.text(table.concat(lines, "\n"), page, #items, token) } },
    structuredContent = json.object({ folder = folder, items = list, total_size = #items, next_page_token = token },
      { "folder", "items", "total_size" }),
  }
end


return M
