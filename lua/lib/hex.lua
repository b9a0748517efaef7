--- Bytes as hexadecimal digits.

---@param bytes string
---@return string  lower case
return function(bytes)
  return (bytes:gsub(".", function(c) return ("%02x"):format(c:byte()) end))
end
