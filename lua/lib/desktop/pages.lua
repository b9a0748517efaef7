--- Lists in pages: page_size and page_token.
--
-- A token names the last item of a page. The next page goes on after that item, even if the list has changed meanwhile. If the
-- item is gone, it goes on at the same place.

local quoting = require "desktop.quoting"
local s       = require "schema"

local M = {}

M.SIZE, M.MAX = 100, 1000


--- The two parameters, to append to a tool's own.
---@return table[] fields
function M.parameters()
  return {
    { "page_size", s.integer("Most results.", { optional = true, minimum = 1, maximum = M.MAX, default = M.SIZE }) },
    { "page_token", s.string("next_page_token of the page before.", { optional = true, maxLength = 200 }) },
  }
end


--- The two members of a result, to append to its own.
---@return table[] fields
function M.results()
  return {
    { "total_size", s.integer("Number of results on all pages.") },
    { "next_page_token", s.string("Pass it as page_token for the next page; absent on the last.", { optional = true }) },
  }
end


--- The first line of a list: "Found 2 windows, frontmost first:", "Found 1 window:", "Found 0 windows."
---@param total integer
---@param thing string   one of them: "window"
---@param order? string  said of several: "frontmost first"
---@return string
function M.found(total, thing, order)
  local counted = ("Found %d %s%s"):format(total, thing, total == 1 and "" or "s")
  if total == 0 then return counted .. "." end
  return counted .. (order and total > 1 and ", " .. order or "") .. ":"
end


--- The text of a page, and the way to get the next one.
---@param text string   text of its items, or that there are none
---@param page table[]
---@param total integer
---@param token? string
---@return string
function M.text(text, page, total, token)
  if #page == 0 and total > 0 then return ("No more results; there are %d in total."):format(total) end
  return token and ("%s\nMore: page_token=%s"):format(text, token) or text
end


local function start_of(items, token, key)
  local at, name = token:match "^(%d%d?%d?%d?%d?%d?):(.+)$"
  if not at then return nil end
  for i, item in ipairs(items) do
    if item[key] == name then return i + 1 end
  end
  return math.tointeger(at) + 1
end


---@generic T
---@param items T[]
---@param args {page_size?: integer, page_token?: string}
---@param key? string  the member that names an item; default "name"
---@return T[]? page
---@return string? next_token_or_err  nil on the last page
---@return string? code
function M.cut(items, args, key)
  key = key or "name"
  local first = 1
  if args.page_token then
    first = start_of(items, args.page_token, key)
    if not first then
      return nil, ("%s is not a page_token from this tool. Pass next_page_token from the previous page, or omit it for the "
        .. "first page."):format(quoting.quote(args.page_token, 80)), "bad_argument"
    end
  end
  local last = math.min(#items, first + (args.page_size or M.SIZE) - 1)
  local page = table.move(items, first, last, 1, {})
  return page, last < #items and ("%d:%s"):format(last, items[last][key]) or nil
end


return M
