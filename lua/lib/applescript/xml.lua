--- A strict reader of small XML, for scripting dictionaries: elements and their attributes, as events.
--
-- Nothing outside the text is ever read. A DOCTYPE is skipped, entity declarations are refused, and only XML's own five
-- entities and character numbers are known, so that the text never expands. Text between elements is checked and dropped.

local M = {}

M.MAX_BYTES = 8 * 1024 * 1024
local DEPTH, ELEMENTS, ATTRIBUTES = 64, 200000, 64
local NAME = "^[%a_:\128-\255][%w_:.\128-\255-]*"
local ENTITIES = { lt = "<", gt = ">", amp = "&", quot = '"', apos = "'" }
local PREFIXES = { xml = "http://www.w3.org/XML/1998/namespace" }

---@class applescript.xml.Handler
---@field open fun(name: string, attributes: table<string, string>, namespace: string)  with the local name
---@field close fun(name: string, namespace: string)


local Reader = {}
Reader.__index = Reader


--- Ends the reading with an error, which M.read catches.
function Reader:fail(code, message, at)
  local line = 1
  for _ in self.text:sub(1, (at or self.at) - 1):gmatch "\n" do line = line + 1 end
  error({ xml = ("line %d: %s"):format(line, message), code = code }, 0)
end


--- Goes on after `mark`.
function Reader:past(mark, what)
  local _, stop = self.text:find(mark, self.at, true)
  if not stop then self:fail("malformed", what .. " is not closed") end
  self.at = stop + 1
end


function Reader:space()
  local _, stop = self.text:find("^[ \t\r\n]+", self.at)
  if stop then self.at = stop + 1 end
  return stop ~= nil
end


function Reader:name(what)
  local name = self.text:match(NAME, self.at)
  if not name then self:fail("malformed", "expected the name of " .. what) end
  self.at = self.at + #name
  return name
end


--- The text of one reference: `amp`, `#38`, `#x26`.
function Reader:reference(inside, at)
  if ENTITIES[inside] then return ENTITIES[inside] end
  local code = inside:match "^#(%d+)$"
  code = code and #code <= 8 and tonumber(code)
  local hex = inside:match "^#x(%x+)$"
  if hex and #hex <= 6 then code = tonumber(hex, 16) end
  if not code then self:fail("entity", ("'&%s;' is not one of XML's own entities"):format(inside:sub(1, 40)), at) end
  local legal = code == 9 or code == 10 or code == 13 or code >= 32 and code <= 0xD7FF or code >= 0xE000 and code <= 0x10FFFF
  if not legal then self:fail("malformed", ("'&%s;' is not a character"):format(inside), at) end
  return utf8.char(code)
end


--- The text with its references replaced.
function Reader:expanded(raw, at)
  if not raw:find("&", 1, true) then return raw end
  local parts, from = {}, 1
  while true do
    local start = raw:find("&", from, true)
    if not start then break end
    local stop = raw:find(";", start, true)
    if not stop then self:fail("malformed", "a '&' without its ';' (a plain one is '&amp;')", at + start - 1) end
    parts[#parts + 1] = raw:sub(from, start - 1)
    parts[#parts + 1] = self:reference(raw:sub(start + 1, stop - 1), at + start - 1)
    from = stop + 1
  end
  parts[#parts + 1] = raw:sub(from)
  return table.concat(parts)
end


function Reader:attribute(attributes)
  local at = self.at
  local name = self:name "an attribute"
  if attributes[name] then self:fail("malformed", ("the attribute %s occurs twice"):format(name), at) end
  self:space()
  if self.text:sub(self.at, self.at) ~= "=" then self:fail("malformed", ("the attribute %s has no value"):format(name)) end
  self.at = self.at + 1
  self:space()
  local quote = self.text:match("^[\"']", self.at)
  if not quote then self:fail("malformed", ("the value of %s is not in quotes"):format(name)) end
  local from = self.at + 1
  self.at = from
  self:past(quote, ("the value of %s"):format(name))
  local raw = self.text:sub(from, self.at - 2)
  if raw:find("<", 1, true) then self:fail("malformed", ("a '<' in the value of %s"):format(name), from) end
  attributes[name] = self:expanded(raw:gsub("[\t\r\n]", " "), from)
end


--- The namespaces inside an element.
local function scope_of(outer, attributes)
  local scope
  for name, value in pairs(attributes) do
    local prefix = name == "xmlns" and "" or name:match "^xmlns:(.+)$"
    if prefix then
      if not scope then
        scope = {}
        for key, uri in pairs(outer) do scope[key] = uri end
      end
      scope[prefix] = value
    end
  end
  return scope or outer
end


--- A tag's local name and its namespace.
function Reader:resolve(name, scope, at)
  local prefix, rest = name:match "^([^:]+):([^:]+)$"
  if not prefix then return name, scope[""] or "" end
  if not scope[prefix] then self:fail("malformed", ("the prefix %s has no namespace"):format(prefix), at) end
  return rest, scope[prefix]
end


function Reader:open_tag()
  local at = self.at
  self.at = at + 1
  local name = self:name "an element"
  local attributes, count = {}, 0
  while self:space() and not self.text:find("^/?>", self.at) do
    self:attribute(attributes)
    count = count + 1
    if count > ATTRIBUTES then self:fail("too_large", "an element has too many attributes") end
  end
  local ending = self.text:match("^/?>", self.at)
  if not ending then self:fail("malformed", ("the tag <%s is not closed"):format(name)) end
  self.at = self.at + #ending

  self.count = self.count + 1
  if self.count > ELEMENTS then self:fail("too_large", "there are too many elements") end
  if #self.stack >= DEPTH then self:fail("too_large", "elements are nested too deeply") end
  if #self.stack == 0 and self.rooted then self:fail("malformed", "there is a second root element", at) end
  self.rooted = true
  local outer = #self.stack > 0 and self.stack[#self.stack].scope or PREFIXES
  local scope = scope_of(outer, attributes)
  local plain, namespace = self:resolve(name, scope, at)
  self.handler.open(plain, attributes, namespace)
  if ending == "/>" then
    self.handler.close(plain, namespace)
  else
    self.stack[#self.stack + 1] = { name = name, plain = plain, namespace = namespace, scope = scope, at = at }
  end
end


function Reader:close_tag()
  local at = self.at
  self.at = at + 2
  local name = self:name "an element"
  self:space()
  if self.text:sub(self.at, self.at) ~= ">" then self:fail("malformed", ("the tag </%s is not closed"):format(name)) end
  self.at = self.at + 1
  local top = self.stack[#self.stack]
  if not top or top.name ~= name then
    self:fail("malformed", ("</%s> closes %s"):format(name, top and "the element " .. top.name or "nothing"), at)
  end
  self.stack[#self.stack] = nil
  self.handler.close(top.plain, top.namespace)
end


--- Skips `<!DOCTYPE ...>` with its declarations; none of them is used.
function Reader:doctype()
  if self.rooted or self.typed then self:fail("malformed", "a DOCTYPE follows the root element or another DOCTYPE") end
  self.typed = true
  self.at = self.at + #"<!DOCTYPE"
  local inside = false
  while true do
    local found = self.text:find("[\"'<>%[%]]", self.at)
    if not found then self:fail("malformed", "the DOCTYPE is not closed") end
    local sign = self.text:sub(found, found)
    self.at = found + 1
    if sign == '"' or sign == "'" then
      self:past(sign, "a string in the DOCTYPE")
    elseif sign == "[" then
      inside = true
    elseif sign == "]" then
      inside = false
    elseif sign == "<" then
      if self.text:sub(found, found + 7):upper() == "<!ENTITY" then
        self:fail("entity", "it declares an entity, which is refused", found)
      elseif self.text:sub(found, found + 3) == "<!--" then
        self:comment(found)
      elseif self.text:sub(found, found + 1) == "<?" then
        self:past("?>", "a processing instruction")
      end
    elseif not inside then
      return
    end
  end
end


function Reader:comment(at)
  self.at = at + 4
  self:past("--", "a comment")
  if self.text:sub(self.at, self.at) ~= ">" then self:fail("malformed", "'--' is inside a comment") end
  self.at = self.at + 1
end


--- Checks the text between two tags.
function Reader:characters(raw, at)
  if #self.stack == 0 and raw:find "[^ \t\r\n]" then self:fail("malformed", "there is text outside the root element", at) end
  if raw:find("]]>", 1, true) then self:fail("malformed", "']]>' is in text", at) end
  self:expanded(raw, at)
end


function Reader:step()
  local text, at = self.text, self.at
  local start = text:find("<", at, true)
  self:characters(text:sub(at, (start or 0) - 1), at)
  if not start then
    self.at = #text + 1
    return
  end
  self.at = start
  if text:find("^</", start) then
    self:close_tag()
  elseif text:find("^<!%-%-", start) then
    self:comment(start)
  elseif text:find("^<!%[CDATA%[", start) then
    if #self.stack == 0 then self:fail("malformed", "there is text outside the root element") end
    self:past("]]>", "a CDATA section")
  elseif text:find("^<!DOCTYPE[ \t\r\n]", start) then
    self:doctype()
  elseif text:find("^<%?", start) then
    self:past("?>", "a processing instruction")
  else
    self:open_tag()
  end
end


function Reader:whole()
  while self.at <= #self.text do self:step() end
  local top = self.stack[#self.stack]
  if top then self:fail("malformed", ("the element %s is not closed"):format(top.name), top.at) end
  if not self.rooted then self:fail("malformed", "there is no element") end
end


--- The encoding that the first line declares, if the text is in another one.
local function foreign_encoding(text)
  local declared = text:match "^<%?xml[^>]-encoding%s*=%s*[\"']([%w._-]+)[\"']"
  local name = declared and declared:lower() or "utf-8"
  if name == "utf-8" or name == "utf8" or name == "us-ascii" or name == "utf-16" then return nil end
  return text:find "[\128-\255]" and declared or nil
end


--- Reads text to its end. Errors of the handler are passed on.
---@param text string  UTF-8, without a mark
---@param handler applescript.xml.Handler
---@return true? ok
---@return string? err  "line 3: ..."
---@return string? code "malformed", "entity", "too_large", "encoding"
function M.read(text, handler)
  if #text > M.MAX_BYTES then return nil, ("it has %d bytes; at most %d are read"):format(#text, M.MAX_BYTES), "too_large" end
  if not utf8.len(text) then return nil, "it is not UTF-8", "encoding" end
  if text:find "[%z\1-\8\11\12\14-\31]" then return nil, "it contains control characters", "malformed" end
  local foreign = foreign_encoding(text)
  if foreign then return nil, ("it declares the encoding %s; only UTF-8 and UTF-16 are supported"):format(foreign), "encoding" end
  local reader = setmetatable({ text = text, at = 1, handler = handler, stack = {}, count = 0 }, Reader)
  local ok, err = pcall(reader.whole, reader)
  if ok then return true end
  if type(err) == "table" and err.xml then return nil, err.xml, err.code end
  error(err, 0)
end


return M
