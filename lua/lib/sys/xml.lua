--- sys.xml: reads XML. Nothing outside the text is read: a document type is skipped, and only XML's own five entities and the
--- numbers of characters are known. XML that declares entities is refused, so that none expands. Other tasks run while a long
--- document is read.

local core = require "sys.xml"

---@class sys.xml
local M = {}

local MAX_BYTES = 8 * 1024 * 1024
local PART = 64 * 1024          -- bytes that are read at once
local ELEMENTS = 200000

--- Gets what the XML holds, in its order. Without `text`, text between tags is checked and dropped.
---@class sys.xml.Handler
---@field open fun(name: string, attributes: table<string, string>, namespace: string)  with the local name; namespace: "" if
---                        there is none. The name of an attribute that has a namespace is "{NAMESPACE}NAME"
---@field close fun(name: string)
---@field text? fun(text: string)  one text may come in several parts

local NONE = {}     -- the attributes of an element that has none; nobody may change it


--- The encoding that the first line declares, if the text is in another one.
local function foreign_encoding(text)
  local declared = text:match "^<%?xml[^>]-encoding%s*=%s*[\"']([%w._-]+)[\"']"
  local name = declared and declared:lower() or "utf-8"
  if name == "utf-8" or name == "utf8" or name == "us-ascii" or name == "utf-16" then return nil end
  return text:find "[\128-\255]" and declared or nil
end


--- The text with spaces for its declaration, which says nothing more: places in errors stay those of the text.
local function undeclared(text)
  return (text:gsub("^<%?xml[ \t\r\n][^>]-%?>", function(declared) return (declared:gsub("[^\n]", " ")) end))
end


--- Hands over the events of one part. Elements that are open are in `open`.
local function hand_over(events, handler, open, count)
  local on_open, on_close, on_text = handler.open, handler.close, handler.text
  local depth = #open
  for i = 1, #events, 3 do
    local name = events[i]
    if name == true then
      on_text(events[i + 1])
    elseif name then
      depth, count = depth + 1, count + 1
      open[depth] = name
      on_open(name, events[i + 2] or NONE, events[i + 1])
    else
      name = open[depth]
      open[depth] = nil
      depth = depth - 1
      on_close(name)
    end
  end
  return count
end


--- Reads text to its end. Errors that the handler raises are passed on.
---@param text string  UTF-8, without a mark
---@param handler sys.xml.Handler
---@return true? ok
---@return string? err   "line 3, column 7: ..."
---@return string? code  "malformed", "entity" (it declares one, or names one that XML does not have), "too_deep", "too_large",
---                      "encoding", "module_missing"
function M.read(text, handler)
  if #text > MAX_BYTES then return nil, ("it has %d bytes; at most %d are read"):format(#text, MAX_BYTES), "too_large" end
  if not utf8.len(text) then return nil, "it is not UTF-8", "encoding" end
  local foreign = foreign_encoding(text)
  if foreign then return nil, ("it declares the encoding %s; only UTF-8 and UTF-16 are supported"):format(foreign), "encoding" end
  local reader, err, code = core.reader(handler.text ~= nil)
  if not reader then return nil, err, code end
  text = undeclared(text)
  local open, count = {}, 0
  for at = 1, math.max(#text, 1), PART do
    local events
    events, err, code = reader:feed(text:sub(at, at + PART - 1), at + PART > #text)
    if not events then return nil, err, code end
    count = hand_over(events, handler, open, count)
    if count > ELEMENTS then return nil, ("it has more than %d elements"):format(ELEMENTS), "too_large" end
  end
  return true
end


---@class sys.xml.Element
---@field name string        the local name
---@field namespace string   "" if there is none
---@field attributes table<string, string>
---@field children (sys.xml.Element|string)[]  elements and the text between them, in their order


--- Reads text into a tree.
---
---     local xml = require "sys.xml"
---
---     local root = assert(xml.parse '<list><item id="1">One</item></list>')
---     assert(root.children[1].attributes.id == "1" and root.children[1].children[1] == "One")
---@param text string
---@return sys.xml.Element? root
---@return string? err
---@return string? code  as read()
function M.parse(text)
  local top = { children = {} }
  local open = { top }
  local ok, err, code = M.read(text, {
    open = function(name, attributes, namespace)
      local element = { name = name, namespace = namespace, attributes = attributes, children = {} }
      if attributes == NONE then element.attributes = {} end
      table.insert(open[#open].children, element)
      open[#open + 1] = element
    end,
    close = function() open[#open] = nil end,
    text = function(more)
      local children = open[#open].children
      local last = #children
      if type(children[last]) == "string" then children[last] = children[last] .. more else children[last + 1] = more end
    end,
  })
  if not ok then return nil, err, code end
  return top.children[1]
end


return M
