--- The words of a request: whatever its parts carry, each part by itself and several in a row.

local keys = require "keys"

local M = {}

-- Values that say nothing about who sends them. Pages and descriptions are full of their names.
local USUAL = {}
for _, type in ipairs { "*/*", "application/json", "application/octet-stream", "application/x-www-form-urlencoded",
  "application/xml", "text/event-stream", "text/html", "text/plain", "text/xml" } do USUAL[type] = true end

-- Names of pages that most servers have.
local PAGES = { ["favicon.ico"] = true, ["index.html"] = true, ["robots.txt"] = true, ["sitemap.xml"] = true }

-- Usual names of headers.
local NAMED = { ["accept"] = true, ["accept-encoding"] = true, ["accept-language"] = true, ["authorization"] = true,
  ["cache-control"] = true, ["content-type"] = true, ["if-modified-since"] = true, ["if-none-match"] = true,
  ["user-agent"] = true }


local function decoded(text)
  return (text:gsub("%%(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end))
end


--- The names of a path, also without what follows a dot. A plain word is one of many that pages and addresses have in common;
--- three of them are a row.
local function segments(path)
  local list, plain, stems = {}, true, {}
  for name in path:gmatch "[^/;]+" do
    name = decoded(name)
    plain = plain and name:find "^%a+$" ~= nil
    if not PAGES[name:lower()] then
      list[#list + 1], stems[#stems + 1] = name, name:match "^(.+)%.%w+$"
    end
  end
  if plain and #list < 3 then return nil end
  return { list, stems }
end


--- The names and the values of a query.
local function fields(query)
  local list, values = {}, {}
  for field in query:gmatch "[^&;]+" do
    local name, value = field:match "^([^=]*)=?(.*)$"
    list[#list + 1] = decoded(name:gsub("%+", " "))
    values[#values + 1] = decoded(value:gsub("%+", " "))
  end
  return list, values
end


--- The parts of a URL.
local function parts(url)
  local authority, path, query = url:match "^%a[%w+.-]*:[/\\]*([^/?#\\]*)([^?#]*)%??([^#]*)"
  if not authority then return nil end
  local user, password = (authority:match "^(.*)@" or ""):match "^([^:]*):?(.*)$"
  local query_names, query_values = fields(query)
  return { user = { decoded(user), decoded(password) }, path = segments(path), query_names = query_names,
    query_values = query_values }
end


--- The values of the headers that code gave, in the order of their names, the names that are not usual ones, and the parts of
--- values that are URLs.
local function headers(given)
  local list, values, urls = {}, {}, {}
  for _, name in ipairs(keys.ordered(given)) do
    local value = tostring(given[name])
    if not NAMED[tostring(name):lower()] then list[#list + 1] = tostring(name) end
    if not USUAL[value:lower()] then values[#values + 1] = value end
    urls[#urls + 1] = parts(value)
  end
  return { names = list, values = values, urls = urls }
end


---@param spec {url: string, headers?: table}
---@param text string|false  its body
---@return table<string, any>
function M.of(spec, text)
  local url = tostring(spec.url)
  local given = type(spec.headers) == "table" and headers(spec.headers) or nil
  return { url = url, text = text or nil, parts = parts(url), headers = given }
end


return M
