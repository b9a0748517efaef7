--- Builds the messages of messages.json, reads them again, and writes them and what differs: for messages_test.py.
local crypto = require "sys.crypto"
local fs     = require "sys.fs"
local json   = require "sys.json"
local mime   = require "sys.mime"

local function plain(spec)
  local message = {}
  for key, value in pairs(spec) do message[key] = value end
  for _, field in ipairs { "text", "html", "subject" } do
    if spec[field .. "64"] then message[field], message[field .. "64"] = assert(crypto.unbase64(spec[field .. "64"])), nil end
  end
  for _, file in ipairs(message.attachments or {}) do
    file.bytes, file.from = file.from and assert(fs.read(file.from, 64 * 1024 * 1024)) or "", nil
  end
  return message
end

local function differs(sent, got)
  for _, field in ipairs { "subject", "text", "html", "id", "in_reply_to", "date" } do
    if sent[field] ~= got[field] then return ("%s: %q came back as %q"):format(field, sent[field], got[field]) end
  end
  for _, field in ipairs { "from", "to", "cc", "bcc", "reply_to" } do
    for i, address in ipairs(sent[field] or {}) do
      local other = got[field][i] or {}
      if address.address ~= other.address or address.name ~= other.name then
        return ("%s: %q came back as %q"):format(field, json.encode(address), json.encode(other))
      end
    end
  end
  for i, file in ipairs(sent.attachments or {}) do
    local other = got.attachments[i]
    if file.bytes ~= other.bytes or file.name ~= other.name or file.type ~= other.type then return "attachment " .. i end
  end
  if (sent.flowed or false) ~= got.flowed then return "flowed" end
end

local report = {}
for i, spec in ipairs(assert(json.decode(assert(fs.read "messages.json")))) do
  local message = plain(spec)
  local bytes, err, code = mime.build(message)
  if bytes then
    assert(fs.write(("%d.eml"):format(i), bytes))
    report[i] = { differs = differs(message, assert(mime.read(bytes, { bytes = true }))) }
  else
    report[i] = { error = err, code = code }
  end
end
assert(fs.write("report.json", assert(json.encode(json.array(report)))))
