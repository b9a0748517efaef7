--- Windows for the examples of tools that wait: one window, and a list of windows that changes.

local M = {}


--- Returns a window "Notes" of an editor, with some fields changed.
---@param more? table
---@return sys.window.Window
function M.window(more)
  local w = { pid = 7, started = 70, id = 3, kind = "normal", title = "Notes", app = "Editor", order = 0, workspace = 0,
              focused = false, on_screen = true, frame = { x = 100, y = 50, width = 400, height = 300 },
              content = { x = 100, y = 70, width = 400, height = 280 } }
  for key, value in pairs(more or {}) do w[key] = value end
  return w
end


--- Returns stubs for `given`: the windows at each look, a quarter of a second apart; the last ones stay.
---@param ... sys.window.Window[]
---@return table
function M.stubs(...)
  local lists, n = { ... }, 0
  return {
    ["sys.window.changed"] = "1", ["sys.time.monotonic"] = function() return n / 4 end,
    ["sys.window.list"] = function()
      n = n + 1
      return lists[math.min(n, #lists)]
    end,
  }
end


--- Returns stubs for `given`: whether something is drawn, each time that a tool waits for it, and whether the image then
--- differs. A wait without drawing lasts half a second, and the others no time.
---@param drawn (boolean|table)[]  true, false, or the results of a failure
---@param differs boolean[]
---@return table
function M.drawing(drawn, differs)
  local now, pictures, waits = 0, 0, 0
  return {
    ["sys.time.monotonic"] = function() return now end,
    ["sys.screen.capture"] = function()
      pictures = pictures + 1
      return { marks = "m", changes = pictures > 1 and not differs[pictures - 1] and {} or { {} } }
    end,
    ["sys.screen.drawn"] = function()
      waits = waits + 1
      local seen = drawn[waits]
      if seen ~= true then now = now + 0.5 end
      if type(seen) == "table" then return table.unpack(seen, 1, 3) end
      return seen
    end,
  }
end


return M
