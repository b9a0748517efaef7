--- Lists all windows when KEYS are pressed, filters them as you type, and goes to the one that you choose. Enter alone goes to
--- the window before this one. The keys again close the list.

local hotkey = require "sys.hotkey"
local time   = require "sys.time"
local ui     = require "sys.ui"
local window = require "sys.window"

-- --- options ------------------------------------------------------------------------------------------

local KEYS = "ctrl+meta+space"
local KINDS = { normal = true, dialog = true }


--- The windows as items, the front one last.
local function items_of(windows)
  local items, front = {}, nil
  for _, each in ipairs(windows) do
    local where = each.minimized and "minimized" or each.workspace > 0 and "workspace " .. each.workspace + 1
    local item = { text = each.title, subtext = each.app .. (where and "  ·  " .. where or ""), window = each }
    if each.focused then front = item
    elseif KINDS[each.kind] then items[#items + 1] = item
    end
  end
  items[#items + 1] = front
  return items
end


local function switch()
  local item, err, code = ui.choose(items_of(assert(window.list())), { title = "Windows", placeholder = "Go to a window" })
  if item then
    assert(window.focus(item.window))
  elseif code ~= "closed" then
    error(err, 0)
  end
end


local function start()
  local open
  assert(hotkey.bind(KEYS, function()
    if open and open:runs() then
      open:stop()
    else
      open = time.after(0, switch)
    end
  end))
end


local NOTES = { title = "Notes", app = "Mousepad", kind = "normal", workspace = 0, focused = true }
local MAIL = { title = "Inbox", app = "Mail", kind = "normal", workspace = 1 }

---@type Service
return {
  description = "Goes to a window that is chosen from a list.",
  start       = start,

  examples = {
    { "goes to the window that is chosen", events = { { "hotkey.bind" }, { "time.after 0" } },
      given = { ["sys.window.list"] = { NOTES, MAIL }, ["sys.window.focus"] = true,
                ["sys.ui.choose"] = function(items)
                  assert(items[1].text == "Inbox" and items[1].subtext == "Mail  ·  workspace 2" and items[2].window == NOTES)
                  return items[1]
                end },
      did = { "window.list", "ui.choose", "window.focus" } },
    { "stays where it is if the list is closed", events = { { "hotkey.bind" }, { "time.after 0" } },
      given = { ["sys.window.list"] = { NOTES },
                ["sys.ui.choose"] = function() return nil, "The user closed the window.", "closed" end },
      did = { "window.list", "ui.choose" } },
  },
}
