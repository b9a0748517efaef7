--- Stand-in for sys.crypto: base64 only.
local crypto = {}

local DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

function crypto.base64(bytes)
  local text = bytes:gsub("..?.?", function(part)
    local a, b, c = part:byte(1, 3)
    local bits, out = a << 16 | (b or 0) << 8 | (c or 0), ""
    for i = 0, 3 do
      local digit = bits >> (18 - 6 * i) & 63
      out = out .. (i <= #part and DIGITS:sub(digit + 1, digit + 1) or "=")
    end
    return out
  end)
  return text
end

function crypto.unbase64(text)
  if #text % 4 ~= 0 or text:find "[^%w+/=]" then return nil, "it is not base64", "not_base64" end
  local bytes = text:gsub("....", function(part)
    local bits, count = 0, #part:gsub("=", "")
    for i = 1, 4 do bits = bits << 6 | (DIGITS:find(part:sub(i, i), 1, true) or 1) - 1 end
    return string.char(bits >> 16 & 255, bits >> 8 & 255, bits & 255):sub(1, count - 1)
  end)
  return bytes
end

return crypto
