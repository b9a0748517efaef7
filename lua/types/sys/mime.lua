---@meta sys.mime

--- Mail messages as MIME, by GMime: written and read on another thread. read() returns exactly the content that was built.
---@class sys.mime
local mime = {}

---@class sys.mime.Address
---@field address string  "ada@example.com", in ASCII
---@field name? string    at most 200 bytes

---@class sys.mime.Attachment
---@field name? string   the file's name, at most 200 bytes
---@field type? string   "image/png", not "multipart/..." or "message/..."; default: "application/octet-stream"
---@field bytes? string  required by build(); from read() only with `bytes`
---@field size? integer  from read(): bytes of the content

---@class sys.mime.Message
---@field from? sys.mime.Address[]      build() accepts at most one
---@field to? sys.mime.Address[]
---@field cc? sys.mime.Address[]
---@field bcc? sys.mime.Address[]       it becomes a header: leave it out if the server does not remove it
---@field reply_to? sys.mime.Address[]
---@field subject? string               at most 2,000 bytes
---@field id? string                    the message ID, without < and >
---@field in_reply_to? string           the ID of the message that this one answers
---@field references? string[]          the IDs of the thread, the oldest first; at most 100
---@field date? number                  seconds since 1970
---@field text? string                  UTF-8; text and html together become alternatives
---@field html? string
---@field flowed? boolean               the text is in the format "flowed" (RFC 3676)
---@field delsp? boolean                from read(): true for a flowed text whose blanks at the joints do not count (DelSp=yes)
---@field attachments? sys.mime.Attachment[]  at most 100
---@field cut? boolean                  from read(): true if it has more or larger parts than are read

--- Builds the message with its headers, in lines that end in CRLF. No field can begin another header: control characters and
--- line separators are refused, and so are values that are too long. At most 500 addresses, and 64 MiB in all.
---@param message sys.mime.Message
---@return string? bytes
---@return string? err
---@return string? code  "bad_header", "bad_address", "bad_text", "no_recipient", "too_many", "too_large", "mime_failed",
---                      "not_built" (the program was built without GMime), "module_broken"
function mime.build(message) end

--- Returns the parts of a message, which may come from anyone: text becomes UTF-8, and at most 1,000 parts in 20 levels and 100
--- attachments are read. A message within the message is an attachment.
---@param bytes string            at most 64 MiB
---@param options? {bytes?: boolean}  bytes: also return those of the attachments
---@return sys.mime.Message? message
---@return string? err
---@return string? code  "not_a_message", "too_large", "not_built", "module_broken"
function mime.read(bytes, options) end


return mime
